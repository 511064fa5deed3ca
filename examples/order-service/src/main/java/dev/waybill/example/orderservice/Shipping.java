package dev.waybill.example.orderservice;

import dev.waybill.example.orderservice.OrderEvents.Item;
import dev.waybill.example.orderservice.OrderEvents.OrderCancelled;
import dev.waybill.example.orderservice.OrderEvents.OrderCreated;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Ships what was ordered, once, with what the event says: it cannot ask the order service. */
public final class Shipping {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Shipping() {}

    public static void main(String[] arguments) throws Exception {
        DataSource database = Databases.open(System.getenv("DB_URL"), "shipping.sql");
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.processedEvents("shipping"));
        try (Connection connection = database.getConnection()) {
            inbox.create(connection);
        }
        // A topic that is created later is noticed within two seconds.
        Map<String, String> kafka =
                Map.of("bootstrap.servers", System.getenv("KAFKA_BOOTSTRAP_SERVERS"), "metadata.max.age.ms", "2000");
        KafkaDestination deadLetters = KafkaDestination.of(KafkaOptions.of(kafka));
        EventConsumer consumer = EventConsumer.named("shipping", inbox, JdbcTransactions.on(database))
                .from(
                        KafkaSource.of(kafka, "shipping", List.of(OrderEvents.CREATED, OrderEvents.CANCELLED)),
                        MessageReader.raw())
                .on(OrderEvents.CREATED, Shipping::ship)
                .on(OrderEvents.CANCELLED, Shipping::cancel)
                .deadLettersTo(deadLetters)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            consumer.close();
            deadLetters.close();
        }));
        System.out.println("shipping: ready");
    }

    private static void ship(Connection transaction, ReceivedEvent event) throws SQLException {
        OrderCreated order = read(event, OrderCreated.class);
        try (PreparedStatement insert = transaction.prepareStatement(
                "insert into shipments (order_id, customer, pieces, total_cents) values (?, ?, ?, ?)")) {
            insert.setObject(1, UUID.fromString(order.orderId()));
            insert.setString(2, order.customer());
            insert.setInt(3, order.items().stream().mapToInt(Item::quantity).sum());
            insert.setLong(4, order.totalCents());
            insert.executeUpdate();
        }
    }

    private static void cancel(Connection transaction, ReceivedEvent event) throws SQLException {
        OrderCancelled order = read(event, OrderCancelled.class);
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into cancellations (order_id) values (?)")) {
            insert.setObject(1, UUID.fromString(order.orderId()));
            insert.executeUpdate();
        }
    }

    private static <T> T read(ReceivedEvent event, Class<T> type) {
        try {
            return JSON.readValue(event.data(), type);
        } catch (JacksonException e) {
            throw new PermanentFailureException("The event is not a complete " + type.getSimpleName() + ".");
        }
    }
}
