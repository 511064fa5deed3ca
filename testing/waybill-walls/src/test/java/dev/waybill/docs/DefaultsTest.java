package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitSource;
import dev.waybill.relay.RelayOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DefaultsTest {

    @Test
    void the_page_tells_the_defaults_of_the_code() {
        Map<String, String> told = Page.rows(
                        Repository.here().page("docs/operations.md").section("Defaults"))
                .stream()
                .collect(Collectors.toMap(row -> row.get(0).replace("`", ""), row -> row.get(1)));

        assertThat(told).isEqualTo(defaults());
    }

    private static Map<String, String> defaults() {
        Map<String, String> all = new LinkedHashMap<>();
        OutboxOptions outbox = OutboxOptions.defaults();
        all.put("OutboxOptions.maxPayloadBytes", number(outbox.maxPayloadBytes()) + " bytes");
        all.put("OutboxOptions.lockKeys", String.valueOf(outbox.lockKeys()));
        JournalOptions journal = JournalOptions.defaults();
        all.put("JournalOptions.saveEvery", number(journal.saveEvery()) + " events");
        all.put("JournalOptions.saveWithin", millis(journal.saveWithin()));
        all.put("JournalOptions.start", journal.start().name());
        all.put("JournalOptions.waitFor", journal.waitFor().stage().name());
        addRelay(all, RelayOptions.defaults());
        all.put("KafkaOptions.deliveryTimeout", millis(KafkaOptions.DELIVERY_TIMEOUT));
        all.put("KafkaOptions.topicTimeout", millis(KafkaOptions.TOPIC_TIMEOUT));
        all.put("RabbitOptions.maxMessageBytes", number(RabbitOptions.MAX_MESSAGE_BYTES) + " bytes");
        all.put("RabbitOptions.confirmTimeout", millis(RabbitOptions.CONFIRM_TIMEOUT));
        all.put("RabbitOptions.connectTimeout", millis(RabbitOptions.CONNECT_TIMEOUT));
        all.put("RabbitSource.prefetch", number(RabbitSource.PREFETCH) + " messages");
        all.put("PubSubOptions.deliveryTimeout", millis(PubSubOptions.DELIVERY_TIMEOUT));
        all.put(
                "PubSubOptions.inFlight",
                number(PubSubOptions.IN_FLIGHT.requests()) + " requests, " + number(PubSubOptions.IN_FLIGHT.bytes())
                        + " bytes");
        all.put(
                "PubSubSource.outstanding",
                number(PubSubSource.OUTSTANDING.messages()) + " messages, " + number(PubSubSource.OUTSTANDING.bytes())
                        + " bytes");
        all.put("PubSubSource.ackDeadline", millis(PubSubSource.ACK_DEADLINE));
        return all;
    }

    private static void addRelay(Map<String, String> all, RelayOptions relay) {
        all.put(
                "RelayOptions.batch",
                number(relay.batch().events()) + " events, "
                        + number(relay.batch().bytes()) + " bytes");
        all.put(
                "RelayOptions.inFlight",
                number(relay.inFlight().batches()) + " batches, "
                        + number(relay.inFlight().bytes()) + " bytes, "
                        + millis(relay.inFlight().timeout()) + " without an answer");
        all.put(
                "RelayOptions.poll",
                millis(relay.poll().interval()) + ", " + millis(relay.poll().maxIdle()) + " when long idle, "
                        + millis(relay.poll().initialDelay()) + " before the first look");
        RetryPolicy retry = relay.retry();
        all.put(
                "RelayOptions.retry",
                retry.retries() + " retries, " + millis(retry.first()) + " before the first, " + retry.factor()
                        + " times as long each time, " + millis(retry.max()) + " at most");
        all.put("RelayOptions.countOutages", String.valueOf(relay.countOutages()));
        all.put("RelayOptions.onDead", relay.onDead().name());
        all.put("RelayOptions.lease", millis(relay.lease()));
        all.put("RelayOptions.grace", millis(relay.grace()));
        all.put(
                "RelayOptions.rate",
                relay.rate().isEmpty()
                        ? "as many as there are"
                        : number(relay.rate().getAsInt()) + " a second");
        all.put(
                "RelayOptions.retention",
                relay.retention().map(Duration::toString).orElse("for ever"));
    }

    private static String millis(Duration duration) {
        return number(duration.toMillis()) + " ms";
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
