package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTopic;
import dev.waybill.telemetry.metrics.WaybillMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs the Java example of the page about metrics. */
class MetricsExamplesTest {
    /** Nothing listens there: counting dead letters fails in the background, and nobody waits for it. */
    private static final Map<String, String> AWAY = Map.of("bootstrap.servers", "127.0.0.1:1");

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final InMemoryOutbox journal = new InMemoryOutbox();

    @Test
    void relays_consumers_stores_and_dead_letters_are_measured() {
        InMemoryInbox inbox = new InMemoryInbox();
        RelayPlan plan = Relay.named("orders").from(journal.store()).to(new InMemoryDestination());
        ConsumerPlan<InMemoryInbox.Transaction> consumerPlan = EventConsumer.named("billing", inbox, inbox)
                .from(new InMemoryTopic("orders"), MessageReader.raw())
                .on("order.placed", (transaction, event) -> {})
                .deadLettersTo(new InMemoryDestination());
        try (KafkaDeadLetters kafka = KafkaDeadLetters.of(AWAY, KafkaOptions.of(AWAY))) {
            DeadLetterBox box = kafka;
            // snippet: metrics
            WaybillMeters meters = WaybillMeters.in(registry);
            Relay relay = meters.start(plan); // instead of plan.start()
            EventConsumer consumer = meters.start(consumerPlan); // instead of consumerPlan.start()
            WaybillMeters.Watching store = meters.watch("orders", journal.admin());
            WaybillMeters.Watching letters =
                    meters.watchDeadLetters("kafka", () -> box.count(box.topics(), DeadLetterCount.COUNTED));
            // end
            try (relay;
                    consumer;
                    store;
                    letters) {
                assertThat(registry.get("waybill.relay.published")
                                .functionCounter()
                                .count())
                        .isZero();
                assertThat(registry.get("waybill.consumer.held").gauge().value())
                        .isZero();
                assertThat(registry.get("waybill.dead.letters.up").gauge().value())
                        .isZero();
            }
        }
    }
}
