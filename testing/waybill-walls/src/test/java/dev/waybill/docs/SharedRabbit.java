package dev.waybill.docs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.embedded.RabbitServer;

/**
 * One RabbitMQ for all examples, because its start costs more than any of them; it ends with the JVM. The tests that use it are
 * skipped where it is not installed.
 */
final class SharedRabbit {
    private SharedRabbit() {}

    private static final class Started {
        static final RabbitServer SERVER = RabbitServer.start();
    }

    static RabbitServer server() {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed: ./install-servers installs it as root");
        return Started.SERVER;
    }

    /** Of a queue that examples of several pages declare, each in its own way. */
    static void delete(String queue) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(server().uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.queueDelete(queue);
        }
    }
}
