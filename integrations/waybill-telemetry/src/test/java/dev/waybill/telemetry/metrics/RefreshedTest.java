package dev.waybill.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.testkit.Await;
import io.micrometer.core.instrument.MockClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RefreshedTest {
    private static final Refresh HOURLY = new Refresh(Duration.ofHours(1), Duration.ofSeconds(10));

    private final MockClock clock = new MockClock();

    @Test
    void a_result_is_used_until_the_next_one_is_late() {
        try (Refreshed<String> read = refreshed(Duration.ZERO, HOURLY)) {
            Await.until("it is read", () -> read.current().isPresent());
            clock.add(Duration.ofHours(1).plusSeconds(10));
            assertThat(read.current()).contains("read");
            clock.add(Duration.ofNanos(1));
            assertThat(read.current()).isEmpty();
        }
    }

    @Test
    void after_a_slow_reading_the_next_one_comes_twenty_times_as_long_later() {
        try (Refreshed<String> read = refreshed(Duration.ofSeconds(2), Refresh.STORE)) {
            Await.until("it is read", () -> read.current().isPresent());
            clock.add(Duration.ofSeconds(40 + 10));
            assertThat(read.current()).contains("read");
            clock.add(Duration.ofNanos(1));
            assertThat(read.current()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 8, 60, 3_600})
    void no_result_of_a_store_is_shown_for_longer_than_a_minute_however_long_its_reading_took(int seconds) {
        try (Refreshed<String> read = refreshed(Duration.ofSeconds(seconds), Refresh.STORE)) {
            Await.until("it is read", () -> read.current().isPresent());
            clock.add(Duration.ofMinutes(1).plusNanos(1));
            assertThat(read.current()).isEmpty();
        }
    }

    @Test
    void an_error_of_a_reading_does_not_end_it() {
        AtomicInteger readings = new AtomicInteger();
        Refresh often = new Refresh(Duration.ofMillis(1), Duration.ofSeconds(10));
        try (Refreshed<String> read = new Refreshed<>(
                "store shop",
                () -> {
                    if (readings.incrementAndGet() < 3) {
                        throw new StackOverflowError("planted");
                    }
                    return "read";
                },
                unused -> {},
                often,
                clock)) {
            read.start();
            Await.until("it is read", () -> read.current().isPresent());
        }
    }

    @Test
    void a_refresh_without_a_pause_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Refresh(Duration.ZERO, Duration.ofSeconds(1)))
                .withMessageContaining("both must be positive");
    }

    /** @param takes how long a reading takes, by the clock */
    private Refreshed<String> refreshed(Duration takes, Refresh refresh) {
        Refreshed<String> read = new Refreshed<>(
                "store shop",
                () -> {
                    clock.add(takes);
                    return "read";
                },
                unused -> {},
                refresh,
                clock);
        read.start();
        return read;
    }
}
