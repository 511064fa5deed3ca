package dev.waybill.jdbc.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeptConnectionTest {
    private final List<Connection> opened = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final KeptConnection<Plain> kept = new KeptConnection<>(this::open, nanos::get);

    private static final class Plain extends StoreConnection {
        Plain(BorrowedConnection borrowed) {
            super(borrowed);
        }

        @Override
        protected Optional<LockHolders> lockHolders() {
            return Optional.empty();
        }

        @Override
        protected PreparedStatement prepareFirst(String text) throws SQLException {
            return connection().prepareStatement(text);
        }
    }

    private Plain open() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        opened.add(connection);
        return new Plain(BorrowedConnection.prepare(connection, fresh -> restored -> {}));
    }

    @AfterEach
    void close() {
        kept.close();
    }

    private int ask() {
        return kept.on("asking", connection -> connection.one("select 7", row -> row.getInt(1)));
    }

    @Test
    void work_that_is_repeated_shares_a_connection() {
        ask();
        assertThat(ask()).isEqualTo(7);
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_connection_that_was_lost_meanwhile_is_replaced_unnoticed() throws SQLException {
        ask();
        boolean[] lost = {true};
        int answer = kept.on("asking", connection -> {
            if (lost[0]) {
                lost[0] = false;
                throw new SQLException("terminating connection due to administrator command", "57P01");
            }
            return connection.one("select 8", row -> row.getInt(1));
        });
        assertThat(answer).isEqualTo(8);
        assertThat(opened).hasSize(2);
        assertThat(opened.get(0).isClosed()).isTrue();
    }

    @Test
    void a_statement_that_fails_is_not_repeated_and_ends_its_connection() throws SQLException {
        ask();
        int[] attempts = {0};
        assertThatThrownBy(() -> kept.on("asking too much", connection -> {
                    attempts[0]++;
                    throw new SQLException("canceling statement due to statement timeout", "57014");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("asking too much", "57014");
        assertThat(attempts[0]).isEqualTo(1);
        assertThat(opened.get(0).isClosed()).isTrue();
        assertThat(ask()).isEqualTo(7);
        assertThat(opened).hasSize(2);
    }

    @Test
    void a_new_connection_that_is_lost_at_once_is_a_failure() {
        assertThatThrownBy(() -> kept.on("asking", connection -> {
                    throw new SQLException("the connection has failed", "08006");
                }))
                .isInstanceOf(StoreException.class);
        assertThat(opened).hasSize(1);
    }

    @Test
    void an_old_connection_is_replaced() throws SQLException {
        ask();
        nanos.addAndGet(KeptConnection.LONGEST.toNanos());
        ask();
        assertThat(opened).hasSize(1);
        nanos.addAndGet(1);
        ask();
        assertThat(opened).hasSize(2);
        assertThat(opened.get(0).isClosed()).isTrue();
    }

    @Test
    void closing_ends_the_connection_even_while_it_works_and_opens_no_other() throws SQLException {
        ask();
        assertThatThrownBy(() -> kept.on("asking", connection -> {
                    kept.close();
                    return connection.one("select 7", row -> row.getInt(1));
                }))
                .isInstanceOf(StoreException.class);
        assertThat(opened).hasSize(1);
        assertThat(opened.get(0).isClosed()).isTrue();
        assertThatThrownBy(this::ask).isInstanceOf(StoreException.class).hasMessageContaining("was closed");
        assertThat(opened).hasSize(1);
    }
}
