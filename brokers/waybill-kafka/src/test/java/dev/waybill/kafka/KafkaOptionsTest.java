package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaOptionsTest {
    private static final Map<String, String> SERVERS = Map.of("bootstrap.servers", "127.0.0.1:9");
    private static final String JAAS = "org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"me\" password=\"SECRET\";";

    @Test
    void properties_that_the_guarantees_depend_on_are_refused_together() {
        Map<String, String> properties = new HashMap<>(Map.of(
                "acks", "1",
                "enable.idempotence", "false",
                "transactional.id", "t",
                "retries", "0",
                "max.in.flight.requests.per.connection", "5",
                "delivery.timeout.ms", "1",
                "max.block.ms", "1",
                "partitioner.ignore.keys", "true",
                "key.serializer", "x",
                "value.serializer", "x"));
        assertThatThrownBy(() -> KafkaOptions.of(properties))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("11 problem(s)")
                .hasMessageContaining("bootstrap.servers is missing")
                .satisfies(thrown -> assertThat(properties.keySet())
                        .allSatisfy(name -> assertThat(thrown).hasMessageContaining("- " + name + " cannot be set (")));
    }

    @Test
    void invalid_times_are_refused() {
        KafkaOptions options = KafkaOptions.of(SERVERS);
        assertThatThrownBy(() -> options.deliveryTimeout(Duration.ofMillis(999)))
                .hasMessageContaining("use at least 1000 ms");
        assertThatThrownBy(() -> options.topicTimeout(Duration.ofMillis(-1))).hasMessageContaining("use 0 or more");
        assertThatThrownBy(() -> KafkaOptions.of(with("request.timeout.ms", "30000", "linger.ms", "5")))
                .hasMessageContaining("together are 30005 ms, more than the delivery timeout of 30000 ms");
    }

    @Test
    void the_users_properties_override_the_defaults_but_not_the_guarantees() {
        Map<String, Object> properties =
                KafkaOptions.of(with("linger.ms", "7", "client.id", "me")).producerProperties();
        assertThat(properties)
                .containsEntry("linger.ms", "7")
                .containsEntry("client.id", "me")
                .containsEntry("compression.type", "lz4")
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("max.in.flight.requests.per.connection", "1")
                .containsEntry("delivery.timeout.ms", "30000")
                .containsEntry("max.block.ms", "5000");
    }

    @Test
    void a_short_delivery_timeout_shortens_the_request_timeout_too() {
        KafkaOptions options = KafkaOptions.of(with("linger.ms", "5")).deliveryTimeout(Duration.ofSeconds(2));
        assertThat(options.producerProperties()).containsEntry("request.timeout.ms", "1995");
    }

    @Test
    void the_topic_lookup_uses_the_same_connection_properties() {
        Map<String, Object> consumer = new ClientProperties(KafkaOptions.of(with(
                        "security.protocol", "SASL_PLAINTEXT",
                        "sasl.jaas.config", JAAS,
                        "client.id", "me",
                        "compression.type", "zstd",
                        "interceptor.classes", "",
                        "my.login.setting", "x")))
                .consumer();
        assertThat(consumer)
                .containsEntry("bootstrap.servers", "127.0.0.1:9")
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("sasl.jaas.config", JAAS)
                .containsEntry("my.login.setting", "x")
                .containsEntry("client.id", "me-topics")
                .doesNotContainKeys("compression.type", "interceptor.classes");
    }

    @Test
    void values_that_are_not_text_reach_every_client_but_cannot_replace_kafkas_own_properties() {
        Object bundle = new Object();
        KafkaOptions options = KafkaOptions.of(SERVERS).objects(Map.of("my.ssl.bundle", bundle));
        assertThat(options.deliveryTimeout(Duration.ofSeconds(2)).producerProperties())
                .containsEntry("my.ssl.bundle", bundle);
        assertThat(new ClientProperties(options).consumer()).containsEntry("my.ssl.bundle", bundle);
        assertThatThrownBy(() -> options.objects(Map.of("acks", 1, "my.ssl.bundle", bundle)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[acks]")
                .hasMessageContaining("as text");
    }

    @Test
    void a_property_that_kafka_refuses_is_named_when_connecting() {
        assertThatThrownBy(() -> KafkaDestination.of(with("batch.size", "many")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("batch.size");
    }

    @Test
    void secrets_are_never_shown() {
        Map<String, String> properties = with("sasl.jaas.config", JAAS, "ssl.truststore.password", "SECRET");
        assertThat(KafkaOptions.of(properties).toString())
                .contains("127.0.0.1:9", "sasl.jaas.config")
                .doesNotContain("SECRET");
        try (KafkaDestination destination = KafkaDestination.of(properties)) {
            assertThat(destination.toString()).isEqualTo("Kafka at 127.0.0.1:9");
        }
        assertThatThrownBy(() -> KafkaDestination.of(with(
                        "ssl.protocol",
                        "",
                        "delegation.token.lifetime",
                        "x",
                        "metrics.recording.level",
                        "SECRET",
                        "metrics.secret",
                        "SECRET")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[hidden]")
                .hasMessageNotContaining("SECRET")
                .hasNoCause();
    }

    @Test
    void it_guarantees_order_in_flight_and_a_maximum_size() {
        try (KafkaDestination destination = KafkaDestination.of(with("max.request.size", "2000000"))) {
            assertThat(destination.guarantees()).isEqualTo(new Guarantees(KeyOrder.KEPT_IN_FLIGHT, 2_000_000));
        }
    }

    private static Map<String, String> with(String... namesAndValues) {
        Map<String, String> properties = new HashMap<>(SERVERS);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return properties;
    }
}
