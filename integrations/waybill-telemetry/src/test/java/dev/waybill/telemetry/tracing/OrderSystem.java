package dev.waybill.telemetry.tracing;

import dev.waybill.Event;
import dev.waybill.Outbox;
import dev.waybill.Payload;
import dev.waybill.format.Format;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.route.Route;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.slf4j.MDC;

/** A service that takes orders, a relay and a consumer, traced: requests, PostgreSQL, a broker, a handler. */
final class OrderSystem implements AutoCloseable {
    private static final String TYPE = "order.placed.v1";

    private final Tracer tracer;
    private final DataSource database;
    private final Outbox<Connection> outbox;
    private final OrderBroker broker;
    private final ConcurrentLinkedQueue<Handled> handled = new ConcurrentLinkedQueue<>();
    private final Relay relay;
    private final EventConsumer consumer;

    /**
     * A call of the handler, as the application sees it.
     *
     * @param parent trace and span in the message's header
     */
    record Handled(String orderId, String parent, String currentTrace, String logTrace, String envelopeTrace) {}

    OrderSystem(OpenTelemetry openTelemetry, DataSource database, OrderBroker broker) throws SQLException {
        this.tracer = openTelemetry.getTracer("web");
        Tracing tracing = Tracing.of(openTelemetry);
        this.database = database;
        this.broker = broker;
        this.outbox = tracing.outbox(JdbcOutbox.journal());
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            JournalSchema.create(connection);
            inbox.create(connection);
            statement.execute("create table effect (order_id text)");
        }
        this.relay = Relay.named("orders")
                .from(PostgresJournal.on(database))
                .to(broker.destination())
                .format(Format.envelope("shop"))
                .route(Route.fixed(OrderBroker.TOPIC))
                .listener(tracing.relay(broker.system()))
                .start();
        this.consumer = EventConsumer.named("stock", inbox, JdbcTransactions.on(database))
                .from(broker.source(), MessageReader.envelope())
                .on(TYPE, this::handle)
                .deadLettersTo(broker.deadLetters())
                .listener(tracing.consumer(broker.system()))
                .start();
    }

    /** What a web framework does around a request. */
    void order(String orderId) {
        Span request =
                tracer.spanBuilder("POST /orders").setSpanKind(SpanKind.SERVER).startSpan();
        try {
            Context.current().with(request).wrap(() -> append(orderId)).run();
        } finally {
            request.end();
        }
    }

    private void append(String orderId) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(
                    connection,
                    Event.of(TYPE).aggregate("Order", orderId).payload(Payload.json("{\"id\":\"" + orderId + "\"}")));
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void handle(Connection connection, ReceivedEvent event) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into effect values ('handled')");
        }
        String message = new String(event.message().value(), StandardCharsets.UTF_8);
        handled.add(new Handled(
                event.dataText(),
                event.header("traceparent")
                        .map(header -> header.substring(3, 52))
                        .orElse(""),
                Span.current().getSpanContext().getTraceId(),
                String.valueOf(MDC.get("traceId")),
                message.replaceFirst(".*\"traceId\":\"([^\"]*)\".*", "$1")));
    }

    List<Handled> handled() {
        return List.copyOf(handled);
    }

    @Override
    public void close() {
        relay.close();
        consumer.close();
        broker.close();
    }
}
