package dev.waybill.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Latencies latencies = new Latencies(nanos::get);

    private void add(double... seconds) {
        latencies.add(seconds.length, i -> seconds[i]);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void without_any_there_are_no_percentiles() {
        add();

        assertThat(latencies.percentiles()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 100, 1_000, 1_999, 5_000})
    void percentiles_are_right_within_an_eighth_whatever_the_size_of_the_batch(int size) {
        latencies.add(size, i -> (i + 1) / (double) size);

        Latencies.Percentiles found = latencies.percentiles().orElseThrow();
        assertThat(found.p50()).isCloseTo(0.5, within(0.5 / 8));
        assertThat(found.p95()).isCloseTo(0.95, within(0.95 / 8));
        assertThat(found.p99()).isCloseTo(0.99, within(0.99 / 8));
    }

    @Test
    void a_large_batch_counts_more_than_a_small_one() {
        latencies.add(5_000, i -> 1);
        latencies.add(90, i -> 100);

        assertThat(latencies.percentiles().orElseThrow().p95()).isCloseTo(1, within(1.0 / 8));
    }

    @Test
    void each_of_a_small_batch_counts() {
        add(1, 1, 1, 100, 1, 1, 1, 1, 100, 1);

        Latencies.Percentiles found = latencies.percentiles().orElseThrow();
        assertThat(found.p50()).isCloseTo(1, within(1.0 / 8));
        assertThat(found.p95()).isCloseTo(100, within(100.0 / 8));
    }

    @Test
    void what_is_older_than_a_minute_is_forgotten() {
        add(100);
        pass(Duration.ofSeconds(30));
        add(1);
        pass(Duration.ofSeconds(30));

        assertThat(latencies.percentiles().orElseThrow().p99()).isCloseTo(1, within(1.0 / 8));

        pass(Duration.ofMinutes(1));
        assertThat(latencies.percentiles()).isEmpty();
    }

    @Test
    void times_before_the_append_and_beyond_all_classes_are_counted_at_the_ends() {
        add(-5, 0);
        assertThat(latencies.percentiles().orElseThrow().p99()).isLessThan(0.000_002);

        add(1e12, 1e12, 1e12, Double.POSITIVE_INFINITY);
        assertThat(latencies.percentiles().orElseThrow().p99()).isGreaterThan(1_000_000);
    }
}
