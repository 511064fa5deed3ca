package dev.waybill.trials;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.embedded.RabbitServer;
import java.io.IOException;
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

    /** The ids of all events that have arrived so far, in order; none while no relay has declared the queue. */
    List<String> eventIds() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(server.uri());
        try (Connection connection = factory.newConnection()) {
            // A channel that asks for a queue that does not exist is closed by the server; its connection is not.
            Channel channel = connection.createChannel();
            for (GetResponse each = channel.basicGet(name, true); each != null; each = channel.basicGet(name, true)) {
                eventIds.add(Objects.toString(each.getProps().getHeaders().get("event-id")));
            }
        } catch (IOException e) {
            if (!isMissing(e)) {
                throw e;
            }
        }
        return eventIds;
    }

    private static boolean isMissing(IOException failure) {
        return failure.getCause() instanceof ShutdownSignalException closed
                && closed.getReason() instanceof AMQP.Channel.Close reason
                && reason.getReplyCode() == AMQP.NOT_FOUND;
    }
}
