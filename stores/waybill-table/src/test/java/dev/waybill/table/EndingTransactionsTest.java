package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** H2's list of sessions fails while a transaction of one of them ends: appends do without it. */
class EndingTransactionsTest {
    private static final int EVENTS = 3_000;

    @Test
    void events_are_appended_while_other_transactions_end() throws Exception {
        ExecutorService others = Executors.newSingleThreadExecutor();
        AtomicBoolean done = new AtomicBoolean();
        try (TableFixture fixture = new TableFixture(TableDialect.H2, TableLayout.orders())) {
            fixture.database.execute("create table beside (n int)");
            Future<?> beside = others.submit(() -> {
                try (Connection connection = fixture.database.begin();
                        Statement statement = connection.createStatement()) {
                    while (!done.get()) {
                        statement.execute("insert into beside values (1)");
                        connection.commit();
                    }
                }
                return null;
            });
            try (Connection connection = fixture.database.begin()) {
                for (int i = 0; i < EVENTS; i++) {
                    fixture.append(connection, "a");
                }
                connection.commit();
            } finally {
                done.set(true);
            }
            beside.get();

            assertThat(fixture.database.rows("select count(*) as events from outbox"))
                    .isEqualTo(List.of(Map.of("events", (long) EVENTS)));
        } finally {
            others.shutdown();
            assertThat(others.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
