package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** The second connection, over which rows are marked beside claims. */
class TableBesideClaimsTest {
    private static final Limits TWO = new Limits(2, 10_000_000);
    private static final Duration IDLE = Duration.ofSeconds(11);

    private final List<Connection> opened = new ArrayList<>();
    private TableFixture fixture;

    @BeforeEach
    void create() throws SQLException {
        fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.waybill());
        fixture.appendMany(4);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void rows_are_marked_over_a_second_connection_and_not_claimed_again() throws SQLException {
        try (RelaySession session = open(recording())) {
            Batch first = session.claim(TWO).orElseThrow();
            beside(session).published(first);

            assertThat(opened).as("session, renewal, marks").hasSize(3);
            assertThat(session.claim(TWO)).isPresent();
            assertThat(session.claim(TWO)).isEmpty();
            assertThat(pending()).isEqualTo(2);
        }
        assertThat(opened).allMatch(TableBesideClaimsTest::isClosed);
    }

    @Test
    void a_pool_of_two_connections_serves_a_session_and_its_renewals() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(fixture.database.dataSource());
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(250);
        try (HikariDataSource pool = new HikariDataSource(config);
                RelaySession session = open(pool)) {
            beside(session).published(session.claim(TWO).orElseThrow());
            assertThat(session.renew()).isTrue();
            beside(session).published(session.claim(TWO).orElseThrow());
            assertThat(pending()).isZero();
        }
    }

    @Test
    void a_data_source_without_a_connection_left_does_not_fail_the_session() throws SQLException {
        try (RelaySession session = open(recording(number -> {
            if (number > 1) {
                throw new IllegalStateException("exhausted");
            }
        }))) {
            beside(session).published(session.claim(TWO).orElseThrow());
            assertThat(pending()).isEqualTo(2);
        }
    }

    @Test
    void a_connection_that_is_not_used_any_more_is_closed_so_that_its_end_disturbs_nothing() throws SQLException {
        try (RelaySession session = open(recording())) {
            beside(session).published(session.claim(TWO).orElseThrow());
            beside(session).published(session.claim(TWO).orElseThrow());
            fixture.passNanos(IDLE);
            assertThat(session.claim(TWO)).isEmpty();
            assertThat(isClosed(opened.get(2))).isTrue();

            fixture.appendMany(2);
            beside(session).published(session.claim(TWO).orElseThrow());
            assertThat(opened).hasSize(4);
            assertThat(pending()).isZero();
        }
    }

    @Test
    void after_a_failure_that_connection_is_tried_again_a_minute_later() throws SQLException {
        AtomicBoolean busy = new AtomicBoolean(true);
        try (RelaySession session = open(recording(number -> {
            if (number == 3 && busy.getAndSet(false)) {
                throw new IllegalStateException("busy");
            }
        }))) {
            beside(session).published(session.claim(TWO).orElseThrow());
            beside(session).published(session.claim(TWO).orElseThrow());
            assertThat(opened).hasSize(2);
            assertThat(session.claim(TWO)).isEmpty();

            fixture.passNanos(Duration.ofMinutes(2));
            fixture.appendMany(2);
            beside(session).published(session.claim(TWO).orElseThrow());
            assertThat(opened).hasSize(3);
            assertThat(pending()).isZero();
        }
    }

    @Test
    void a_data_source_that_throws_when_that_connection_is_closed_does_not_fail_the_session() throws SQLException {
        try (RelaySession session = open(recording(number -> {}, connection -> {
            throw new IllegalStateException("not open any more");
        }))) {
            beside(session).published(session.claim(TWO).orElseThrow());
            fixture.passNanos(IDLE);
            assertThat(session.claim(TWO)).isPresent();
        } finally {
            for (Connection left : opened) {
                left.close();
            }
        }
    }

    @Test
    void the_lease_is_released_even_if_that_connection_has_died() throws SQLException {
        RelaySession session = open(recording());
        beside(session).published(session.claim(TWO).orElseThrow());
        fixture.execute("select pg_terminate_backend("
                + opened.get(2).unwrap(PGConnection.class).getBackendPID() + ")");

        assertThatCode(session::close).doesNotThrowAnyException();

        assertThat(opened).allMatch(TableBesideClaimsTest::isClosed);
        open(recording()).close();
    }

    /** After a crash or a failover that lost commits, the server gives the numbers of lost rows to others, which were not published. */
    @Test
    void rows_are_not_marked_on_a_server_that_has_ended_the_process_of_the_session() throws SQLException {
        RelaySession session = open(recording());
        Batch first = session.claim(TWO).orElseThrow();
        fixture.execute("select pg_terminate_backend("
                + opened.get(0).unwrap(PGConnection.class).getBackendPID() + ", 10000)");

        assertThatThrownBy(() -> beside(session).published(first)).isInstanceOf(StoreException.class);

        session.close();
        assertThat(pending()).isEqualTo(4);
        assertThat(opened).allMatch(TableBesideClaimsTest::isClosed);
    }

    private RelaySession open(DataSource source) {
        return fixture.store(source)
                .open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE)
                .orElseThrow();
    }

    private static RelaySession.BesideClaims beside(RelaySession session) {
        return session.besideClaims().orElseThrow();
    }

    private long pending() throws SQLException {
        return fixture.store().admin().relays().get(0).backlog();
    }

    private DataSource recording() {
        return recording(number -> {});
    }

    /** @param before is given the number of each connection that is asked for; what it throws is thrown */
    private DataSource recording(IntConsumer before) {
        return recording(before, connection -> connection.close());
    }

    /** Closes a connection. */
    private interface Closing {
        void close(Connection connection) throws SQLException;
    }

    /** @param closing how the third connection is closed */
    private DataSource recording(IntConsumer before, Closing closing) {
        DataSource real = fixture.database.dataSource();
        return (DataSource) Proxy.newProxyInstance(
                TableBesideClaimsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, given) -> {
                    if (method.getName().equals("getConnection")) {
                        before.accept(opened.size() + 1);
                        opened.add(real.getConnection());
                        Connection connection = opened.get(opened.size() - 1);
                        return opened.size() == 3 ? closedAs(closing, connection) : connection;
                    }
                    return invoke(method, real, given);
                });
    }

    private static Object closedAs(Closing closing, Connection connection) {
        return Proxy.newProxyInstance(
                TableBesideClaimsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, given) -> {
                    if (method.getName().equals("close")) {
                        closing.close(connection);
                        return null;
                    }
                    return invoke(method, connection, given);
                });
    }

    private static Object invoke(Method method, Object real, Object[] given) throws Throwable {
        try {
            return method.invoke(real, given);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
