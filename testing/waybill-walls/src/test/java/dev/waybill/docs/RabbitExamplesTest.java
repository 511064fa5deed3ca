package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.format.Format;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitTls;
import dev.waybill.rabbitmq.Topology;
import dev.waybill.relay.Relay;
import dev.waybill.route.Route;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Runs the Java examples of the RabbitMQ page. */
class RabbitExamplesTest {
    private final InMemoryOutbox outbox = new InMemoryOutbox();

    @Test
    void a_relay_declares_its_topology_and_publishes() {
        RabbitServer server = SharedRabbit.server();
        String uri = server.uri();
        append();
        EventStore store = outbox.store();
        // snippet: rabbitmq
        Topology topology = Topology.NONE
                .topicExchange("notifications.exchange")
                .queue("notification.restaurant", "notifications.exchange", "notification.restaurant")
                .queue("notification.customer", "notifications.exchange", "notification.customer");
        RabbitOptions options =
                RabbitOptions.of(uri).exchange("notifications.exchange").topology(topology);
        Map<String, String> topics =
                Map.of("RESTAURANT", "notification.restaurant", "CUSTOMER", "notification.customer");

        RabbitDestination rabbit = RabbitDestination.of(options);
        Relay relay = Relay.named("notifications")
                .from(store)
                .to(rabbit)
                .route(Route.byAggregateType(topics))
                .format(Format.notification())
                .start();
        // end
        try (rabbit;
                relay) {
            awaitPublished(relay);
        }
        assertThat(server.control("list_queues", "name", "messages"))
                .contains("notification.restaurant\t1", "notification.customer\t0");
    }

    @Test
    void tls_and_credentials_come_from_options() {
        String password = "secret";
        // snippet: rabbitmq-tls
        RabbitOptions options = RabbitOptions.of("amqps://rabbit.example.com/shop")
                .credentials("shop-relay", password)
                .tls(RabbitTls.trusting(Path.of("/etc/ssl/rabbit-ca.pem"))
                        .withKeyStore(Path.of("/run/secrets/relay.p12"), password));
        // end
        assertThat(options.toString()).contains("rabbit.example.com:5671").doesNotContain(password);
    }

    private void append() {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(
                    transaction,
                    Event.of("RESERVATION_REQUESTED")
                            .aggregate("RESTAURANT", "5")
                            .payload(Payload.json("{\"guests\":4}")));
            transaction.commit();
        }
    }

    private static void awaitPublished(Relay relay) {
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (relay.statistics().published() == 0) {
            assertThat(System.nanoTime())
                    .as("nothing was published in a minute")
                    .isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
