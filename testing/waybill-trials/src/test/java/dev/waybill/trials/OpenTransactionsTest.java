package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.spi.Destination;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Transactions are left open, in the journal's database and in another; events of other transactions are delivered
 * meanwhile.
 */
class OpenTransactionsTest {
    private static final String TAKE_XID = "select pg_current_xact_id()";

    @Test
    void transactions_left_open_hold_up_nobody_and_are_delivered_when_they_commit() throws Exception {
        try (Trial trial = Trial.begin("open")) {
            RelaySettings settings = trial.relay("orders");
            DataSource journal = trial.database().dataSource();
            UUID late = UUID.randomUUID();
            Connection writer = begin(trial, journal, "select 1");
            append(writer, late);
            begin(trial, journal, TAKE_XID);
            begin(
                    trial,
                    journal,
                    "set transaction isolation level repeatable read; select count(*) from waybill.event");
            begin(trial, TrialServers.postgres().dataSource("postgres"), TAKE_XID);
            trial.say("a writer, an idle transaction, a reader and one in another database are left open");
            Destination destination = trial.opened(settings.destination());
            trial.opened(settings.plan(destination).start());
            Workload load = trial.startWriting(250);
            trial.watch(Duration.ofSeconds(1), Duration.ofSeconds(2));
            load.end();
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, load.log());

            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().duplicates()).isZero();
            assertThat(outcome.stream()).noneMatch(message -> message.eventId().equals(late));

            writer.commit();
            TopicReader reader = trial.read(settings);
            Await.until(
                    "the late one",
                    () -> reader.read().stream()
                            .anyMatch(message -> message.eventId().equals(late)));
        }
    }

    private static Connection begin(Trial trial, DataSource dataSource, String sql) throws SQLException {
        Connection connection = trial.opened(dataSource.getConnection());
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return connection;
    }

    private static void append(Connection connection, UUID id) {
        JdbcOutbox.journal()
                .append(
                        connection,
                        Event.of("aggregate.changed.v1")
                                .aggregate("Order", "late")
                                .payload(Payload.json("{}"))
                                .id(id.toString())
                                .aggregateVersion(1));
    }
}
