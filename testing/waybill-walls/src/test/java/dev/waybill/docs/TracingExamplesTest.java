package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Outbox;
import dev.waybill.Payload;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryTopic;
import dev.waybill.telemetry.tracing.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the Java example of the page about tracing. What it traces is tested with the module. */
@Timeout(120)
class TracingExamplesTest {
    private final Stock stock = (connection, event) -> {};

    /** Stand-in for the application. */
    private interface Stock {
        void take(Connection connection, ReceivedEvent event);
    }

    @Test
    void outbox_relay_and_consumer_are_traced() throws Exception {
        OpenTelemetry openTelemetry = OpenTelemetry.noop();
        InMemoryTopic source = new InMemoryTopic("orders");
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        try (PostgresServer server = PostgresServer.start();
                InMemoryDestination kafka = new InMemoryDestination();
                InMemoryDestination letters = new InMemoryDestination()) {
            DataSource dataSource = server.dataSource(server.createDatabase("tracing"));
            try (Connection connection = dataSource.getConnection()) {
                JournalSchema.create(connection);
            }
            JdbcTransactions transactions = JdbcTransactions.on(dataSource);
            PostgresJournal journal = PostgresJournal.on(dataSource);
            // snippet: tracing
            Tracing tracing = Tracing.of(openTelemetry);
            Outbox<Connection> outbox = tracing.outbox(JdbcOutbox.journal());

            Relay relay = Relay.named("orders")
                    .from(journal)
                    .to(kafka)
                    .listener(tracing.relay("kafka"))
                    .start();

            ConsumerPlan<Connection> plan = EventConsumer.named("stock", inbox, transactions)
                    .from(source, MessageReader.raw())
                    .on("order.placed.v1", (connection, event) -> stock.take(connection, event))
                    .deadLettersTo(letters)
                    .listener(tracing.consumer("kafka"));
            // end
            try (relay;
                    Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                outbox.append(
                        connection,
                        Event.of("order.placed.v1").aggregate("Order", "4711").payload(Payload.json("{}")));
                connection.commit();
                while (kafka.delivered().isEmpty()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                }
            }
            assertThat(kafka.delivered()).hasSize(1);
            assertThat(plan).isNotNull();
        }
    }
}
