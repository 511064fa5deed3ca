package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.EventIds;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.rabbitmq.RabbitDestination;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/** Publishes events to an exchange of RabbitMQ as a relay would; every queue receives all of them. */
final class ConsumedQueues {
    private final RabbitServer server;
    private final String exchange;

    ConsumedQueues(RabbitServer server, String exchange) {
        this.server = server;
        this.exchange = exchange;
        run(channel -> channel.exchangeDeclare(exchange, "fanout", true));
    }

    interface OnChannel {
        void run(Channel channel) throws Exception;
    }

    void run(OnChannel what) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(server.uri());
            try (Connection connection = factory.newConnection()) {
                what.run(connection.createChannel());
            }
        } catch (Exception e) {
            throw new AssertionError("RabbitMQ did not do what the trial needs.", e);
        }
    }

    /** A queue of this exchange. */
    String queue(String consumer) {
        String queue = exchange + "." + consumer;
        declare(queue);
        run(channel -> channel.queueBind(queue, exchange, ""));
        return queue;
    }

    void declare(String queue) {
        run(channel -> channel.queueDeclare(queue, true, false, false, Map.of()));
    }

    /** @return the ids */
    List<String> sendShuffled(int events, int keys, Random random) {
        Shuffled shuffled = Shuffled.of(events, keys, random);
        send(shuffled.deliveries());
        return shuffled.ids();
    }

    String send(String key, String data) {
        String id = EventIds.next();
        send(List.of(new Shuffled.Delivery(key, Shuffled.envelope(id, data))));
        return id;
    }

    private void send(List<Shuffled.Delivery> messages) {
        run(channel -> {
            AtomicBoolean returned = new AtomicBoolean();
            channel.addReturnListener(back -> returned.set(true));
            channel.confirmSelect();
            for (Shuffled.Delivery each : messages) {
                BasicProperties properties = new BasicProperties.Builder()
                        .deliveryMode(2)
                        .headers(Map.of(RabbitDestination.KEY_HEADER, each.key()))
                        .build();
                channel.basicPublish(exchange, "", true, properties, each.value());
            }
            channel.waitForConfirmsOrDie(30_000);
            assertThat(returned).as("no queue was bound").isFalse();
        });
    }

    void sendRaw(List<HostileMessages.Raw> messages) {
        run(channel -> {
            channel.confirmSelect();
            for (HostileMessages.Raw each : messages) {
                Map<String, Object> headers = new HashMap<>(each.headers());
                if (each.key() != null) {
                    headers.put(RabbitDestination.KEY_HEADER, each.key());
                }
                BasicProperties properties = new BasicProperties.Builder()
                        .deliveryMode(2)
                        .headers(headers)
                        .build();
                byte[] body = each.value() == null ? new byte[0] : each.value();
                channel.basicPublish(exchange, "", true, properties, body);
            }
            channel.waitForConfirmsOrDie(60_000);
        });
    }

    /** Number of messages in a queue, including delivered and unacknowledged ones. */
    long held(String queue) {
        return server.messages(queue);
    }
}
