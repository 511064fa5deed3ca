package dev.waybill.trials;

import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitSource;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The consumer of a trial, in a form that can be passed to another process. Its effect is one row in a table without a
 * unique constraint.
 *
 * @param broker Kafka's bootstrap servers, the uri of a RabbitMQ, or {@link #PUBSUB} and the address of an emulator
 * @param topic the topic, or the queue
 * @param killAfter number of commits after which the process kills itself, before anything more is acknowledged; 0 for never
 */
record ConsumerSettings(String url, String broker, String consumer, String topic, boolean batches, int killAfter) {
    static final String PUBSUB = "pubsub:";
    static final String TYPE = "order.placed.v1";
    static final String TABLES = "create table effect (consumer text not null, event_id text not null, data text)";

    ConsumerSettings killedAfter(int commits) {
        return new ConsumerSettings(url, broker, consumer, topic, batches, commits);
    }

    List<String> arguments() {
        return List.of(url, broker, consumer, topic, Boolean.toString(batches), Integer.toString(killAfter));
    }

    static ConsumerSettings of(String... arguments) {
        return new ConsumerSettings(
                arguments[0],
                arguments[1],
                arguments[2],
                arguments[3],
                Boolean.parseBoolean(arguments[4]),
                Integer.parseInt(arguments[5]));
    }

    Destination deadLetters() {
        if (isPubSub()) {
            return PubSubDestination.of(pubSub());
        }
        return isRabbit()
                ? RabbitDestination.of(RabbitOptions.of(broker))
                : KafkaDestination.of(KafkaOptions.of(Map.of("bootstrap.servers", broker)));
    }

    ConsumerPlan<Connection> plan(
            Destination deadLetters,
            EventHandler<Connection> handler,
            UnaryOperator<Transactions<Connection>> around,
            ConsumerOptions options)
            throws SQLException {
        DataSource database = dataSource();
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        try (Connection connection = database.getConnection()) {
            inbox.create(connection);
        }
        ConsumerPlan<Connection> plan = EventConsumer.named(
                        consumer, inbox, around.apply(JdbcTransactions.on(database)))
                .from(source(), MessageReader.envelope())
                .deadLettersTo(deadLetters)
                .options(options);
        return batches ? plan.inBatches(TYPE, handler) : plan.on(TYPE, handler);
    }

    private boolean isRabbit() {
        return broker.startsWith("amqp:");
    }

    private boolean isPubSub() {
        return broker.startsWith(PUBSUB);
    }

    private PubSubOptions pubSub() {
        return PubSubOptions.of(EmulatedTopic.PROJECT).emulator(broker.substring(PUBSUB.length()));
    }

    MessageSource source() {
        if (isPubSub()) {
            return PubSubSource.of(pubSub(), topic, topic);
        }
        if (isRabbit()) {
            return RabbitSource.of(RabbitOptions.of(broker), List.of(topic));
        }
        // The minimum that a broker allows, so that a trial does not wait 45 s for a dead member.
        Map<String, String> properties =
                Map.of("bootstrap.servers", broker, "session.timeout.ms", "6000", "heartbeat.interval.ms", "1000");
        return KafkaSource.of(properties, consumer, List.of(topic));
    }

    EventHandler<Connection> leaveEffect() {
        return (connection, event) -> {
            try (PreparedStatement insert = connection.prepareStatement("insert into effect values (?, ?, ?)")) {
                insert.setString(1, consumer);
                insert.setString(2, event.id());
                insert.setString(3, event.dataText());
                insert.executeUpdate();
            }
        };
    }

    private DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }
}
