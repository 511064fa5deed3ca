package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.memory.InMemoryOutbox;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Java of the page on Kafka, run. */
class KafkaExamplesTest {

    @Test
    void a_relay_publishes_to_kafka() {
        EventStore store = new InMemoryOutbox().store();
        try (KafkaServer server = KafkaServer.start()) {
            String brokers = server.bootstrapServers();
            // snippet: kafka-relay
            KafkaDestination kafka = KafkaDestination.connect(KafkaOptions.of(Map.of("bootstrap.servers", brokers)));
            Relay relay = Relay.start(RelayPlan.named("orders-to-kafka")
                    .from(store)
                    .to(kafka)
                    .route(Route.byType())
                    .format(Format.envelope("order-service")));
            // end
            try (kafka;
                    relay) {
                assertThat(relay.statistics().published()).isZero();
            }
        }
    }

    @Test
    void kafkas_own_properties_secure_the_connection() {
        String password = "never shown";
        // snippet: kafka-secure
        KafkaOptions options = KafkaOptions.of(Map.of(
                        "bootstrap.servers", "kafka.example.com:9093",
                        "security.protocol", "SASL_SSL",
                        "ssl.truststore.type", "PEM",
                        "ssl.truststore.location", "/etc/ssl/kafka-ca.pem",
                        "sasl.mechanism", "SCRAM-SHA-512",
                        "sasl.jaas.config",
                                "org.apache.kafka.common.security.scram.ScramLoginModule required"
                                        + " username=\"shop-relay\" password=\"" + password + "\";"))
                .deliveryTimeout(Duration.ofSeconds(60));
        // end
        assertThat(options.toString()).doesNotContain(password).contains("sasl.jaas.config");
    }
}
