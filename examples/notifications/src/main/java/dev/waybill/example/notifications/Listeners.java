package dev.waybill.example.notifications;

import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitSource;
import dev.waybill.rabbitmq.Topology;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Listeners of the queues that the arguments name, as in {@code restaurant customer}. Each finds the recipients of an event and
 * their channels, and writes its notifications once.
 */
public final class Listeners {
    private static final String EXCHANGE = "notifications.exchange";

    private Listeners() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> environment = System.getenv();
        DataSource database = Databases.open(
                environment.getOrDefault("DB_URL", "jdbc:mariadb://localhost/listeners"), "listeners.sql");
        for (String kind : arguments) {
            listen(kind, database, environment);
        }
        System.out.println("listeners: ready, " + List.of(arguments));
    }

    private static void listen(String kind, DataSource database, Map<String, String> environment) throws SQLException {
        String queue = "notification." + kind;
        Topology topology = Topology.NONE
                .topicExchange(EXCHANGE)
                .queue(queue, EXCHANGE, queue)
                .deadLetters(queue + ".dlx", queue + ".dlt");
        RabbitOptions rabbit = RabbitOptions.of(
                        "amqp://" + environment.getOrDefault("SPRING_RABBITMQ_HOST", "localhost") + ":"
                                + environment.getOrDefault("SPRING_RABBITMQ_PORT", "5672"))
                .credentials(
                        environment.getOrDefault("SPRING_RABBITMQ_USERNAME", "guest"),
                        environment.getOrDefault("SPRING_RABBITMQ_PASSWORD", "guest"))
                .topology(topology);
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill().table(kind + "_inbox"));
        try (Connection connection = database.getConnection()) {
            inbox.create(connection);
        }
        RabbitDestination deadLetters = RabbitDestination.of(rabbit.exchange(queue + ".dlx"));
        ConsumerPlan<Connection> plan = EventConsumer.named(kind + "-listener", inbox, JdbcTransactions.on(database))
                .from(RabbitSource.of(rabbit, List.of(queue)), MessageReader.notification())
                .deadLettersTo(deadLetters);
        for (Business business : Business.values()) {
            plan = plan.on(business.eventType(), (transaction, event) -> notifyRecipients(transaction, kind, event));
        }
        EventConsumer consumer = plan.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            consumer.close();
            deadLetters.close();
        }));
    }

    /** The message names no recipients: they, and the channels they prefer, are found here. */
    private static void notifyRecipients(Connection transaction, String kind, ReceivedEvent event) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("insert into " + kind
                + "_notification (event_id, event_type, user_id, channel) select ?, ?, user_id, channel from recipients"
                + " where aggregate_type = ? and aggregate_id = ?")) {
            insert.setString(1, event.id());
            insert.setString(2, event.type());
            insert.setString(3, event.aggregateType().orElseThrow());
            insert.setLong(4, Long.parseLong(event.aggregateId().orElseThrow()));
            insert.executeUpdate();
        }
    }
}
