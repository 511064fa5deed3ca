package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "amqp://host, false, host, 5672, /, guest, guest",
        "amqp://host/, false, host, 5672, /, guest, guest",
        "amqp://host/%2F, false, host, 5672, /, guest, guest",
        "amqp://host:5/shop, false, host, 5, shop, guest, guest",
        "amqps://host, true, host, 5671, /, guest, guest",
        "amqp://me:p%40ss%2Fw+rd@host/a%2Fb, false, host, 5672, a/b, me, p@ss/w+rd"
    })
    void a_uri_is_read(
            String uri, boolean tls, String host, int port, String virtualHost, String user, String password) {
        assertThat(RabbitOptions.of(uri).address())
                .isEqualTo(new BrokerAddress(tls, host, port, virtualHost, user, password));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://SECRET@host",
                "amqp://",
                "amqp://SECRET@host/a/b",
                "amqp://SECRET@host?x=1",
                "amqp://SEC RET@host",
                "amqp://me:SECRET@ho^st",
                "SECRET"
            })
    void an_invalid_uri_is_reported_without_quoting_it(String uri) {
        assertThatThrownBy(() -> RabbitOptions.of(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the uri")
                .hasMessageNotContaining("SECRET");
    }

    @Test
    void all_problems_are_reported_at_once() {
        RabbitOptions good = RabbitOptions.of("amqp://host");
        assertThatThrownBy(() -> new RabbitOptions(
                        "nonsense",
                        good.credentials(),
                        good.tls(),
                        "",
                        good.exchangeByTopic(),
                        Topology.NONE,
                        0,
                        Duration.ZERO,
                        Duration.ofMillis(99)))
                .hasMessageContainingAll(
                        "uri", "maxMessageBytes is 0", "confirmTimeout is 0 ms", "connectTimeout is 99 ms");
        assertThatThrownBy(() -> good.tls(RabbitTls.trusting(Path.of("ca.pem"))))
                .hasMessageContaining("amqps://");
    }

    @Test
    void its_text_contains_no_secret() {
        RabbitOptions options = RabbitOptions.of("amqps://me:SECRET@host/shop")
                .credentials("you", "SECRET")
                .tls(RabbitTls.trusting(Path.of("ca.pem")).withKeyStore(Path.of("key.p12"), "SECRET"));
        assertThat(options.toString()).contains("host:5671 vhost shop").doesNotContain("SECRET");
        assertThat(options.credentials().toString()).contains("you").doesNotContain("SECRET");
        assertThat(options.tls().toString()).contains("ca.pem", "key.p12").doesNotContain("SECRET");
        assertThat(options.address().toString()).doesNotContain("SECRET");
        try (RabbitDestination destination = RabbitDestination.of(options)) {
            assertThat(destination.toString()).contains("host:5671").doesNotContain("SECRET");
        }
    }
}
