package dev.waybill.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import dev.waybill.spi.Settlement.RetryAt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreClockTest {
    private static final Instant STORE = Instant.parse("2026-11-19T12:00:00Z");
    private static final Duration WAIT = Duration.ofMillis(100);

    private Instant own = STORE.minus(Duration.ofHours(1));
    private long nanos;

    private final StoreClock clock = StoreClock.following(() -> own, () -> nanos);

    @Test
    void a_retry_waits_as_long_as_asked_whatever_the_clock_of_the_process_says() {
        clock.read(STORE);

        assertThat(translated()).isEqualTo(STORE.plus(WAIT));
    }

    @Test
    void a_clock_that_is_corrected_after_the_store_was_read_changes_no_wait() {
        clock.read(STORE);
        pass(Duration.ofSeconds(2));
        own = own.plus(Duration.ofHours(1));

        assertThat(clock.instant()).isEqualTo(STORE.plusSeconds(2));
        assertThat(translated()).isEqualTo(STORE.plusSeconds(2).plus(WAIT));
    }

    @Test
    void until_the_store_was_read_its_time_is_that_of_the_process() {
        assertThat(clock.instant()).isEqualTo(own);
        assertThat(translated()).isEqualTo(own.plus(WAIT));
    }

    private void pass(Duration time) {
        own = own.plus(time);
        nanos += time.toNanos();
    }

    private Instant translated() {
        Settlement settlement =
                clock.translate(List.of(new RetryAt(own.plus(WAIT), "not now"))).get(0);
        return ((RetryAt) settlement).at();
    }
}
