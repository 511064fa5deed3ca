package dev.waybill.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.spi.SourceException;
import dev.waybill.testkit.Exposition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DeadLetterMetersTest {
    private final Scene scene = new Scene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void letters_are_counted_by_consumer_over_all_topics() {
        AtomicReference<List<DeadLetterCount>> counts = new AtomicReference<>(List.of(
                new DeadLetterCount("a.dlt", 3, true, Map.of("billing", 2L, "stock", 1L)),
                new DeadLetterCount("b.dlt", 5, true, Map.of("billing", 4L, "", 1L)),
                new DeadLetterCount("c.dlt", 7, true, Map.of())));
        scene.deadLetters("kafka", counts::get);
        scene.until(6, "waybill_dead_letters", "destination", "kafka", "consumer", "billing");
        scene.until(1, "waybill_dead_letters", "destination", "kafka", "consumer", "stock");
        scene.until(8, "waybill_dead_letters", "destination", "kafka", "consumer", "unknown");

        counts.set(List.of());
        scene.until(0, "waybill_dead_letters", "destination", "kafka", "consumer", "billing");
    }

    @Test
    void invented_names_of_consumers_do_not_become_labels_without_bound() {
        Map<String, Long> hostile = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            hostile.put("consumer-" + i, 1L);
        }
        hostile.put("anna@example.org\n\"} 1", 1L);
        hostile.put("x".repeat(1_000_000), 1L);
        scene.deadLetters("kafka", () -> List.of(new DeadLetterCount("a.dlt", hostile.size(), true, hostile)));
        scene.until(1, "waybill_dead_letters_up", "destination", "kafka");

        Exposition now = scene.scrape();
        List<Exposition.Sample> samples = now.samples().stream()
                .filter(sample -> sample.name().equals("waybill_dead_letters"))
                .toList();
        assertThat(samples).hasSizeLessThanOrEqualTo(DeadLetterMeters.MOST_CONSUMERS + 1);
        assertThat(samples.stream().mapToDouble(Exposition.Sample::value).sum()).isEqualTo(1_002);
        assertThat(scene.registry.scrape()).doesNotContain("anna", "xxxx");
    }

    @Test
    void a_broker_that_is_away_leaves_no_value() {
        AtomicReference<Supplier<List<DeadLetterCount>>> counting =
                new AtomicReference<>(() -> List.of(new DeadLetterCount("a.dlt", 1, true, Map.of("billing", 1L))));
        scene.deadLetters("kafka", () -> counting.get().get());
        scene.until(1, "waybill_dead_letters", "destination", "kafka", "consumer", "billing");
        counting.set(() -> {
            throw new SourceException("no broker", new IllegalStateException("planted"));
        });
        scene.until(0, "waybill_dead_letters_up", "destination", "kafka");
        assertThat(scene.scrape().value("waybill_dead_letters", "consumer", "billing"))
                .isNaN();
    }
}
