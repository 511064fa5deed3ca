package dev.waybill.trials;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.embedded.RabbitServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A queue on RabbitMQ without other readers. */
final class RabbitQueue {
    private final RabbitServer server;
    private final String name;
    private final List<String> eventIds = new ArrayList<>();

    RabbitQueue(RabbitServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** The ids of all events that have arrived so far, in order. */
    List<String> eventIds() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(server.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            for (GetResponse each = channel.basicGet(name, true); each != null; each = channel.basicGet(name, true)) {
                eventIds.add(Objects.toString(each.getProps().getHeaders().get("event-id")));
            }
        }
        return eventIds;
    }
}
