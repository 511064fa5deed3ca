package dev.waybill.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long BEGUN = 77;

    private static long millis(long millis) {
        return BEGUN + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void steps_begin_as_the_rate_allows_however_long_they_take() {
        Pace pace = new Pace(20, BEGUN);
        assertThat(pace.after(10, millis(100))).isEqualTo(millis(500));
        assertThat(pace.after(10, millis(900))).isEqualTo(millis(1_000));
        assertThat(pace.after(5, millis(1_001))).isEqualTo(millis(1_250));
    }

    @Test
    void after_a_late_step_the_pace_continues_from_then() {
        Pace pace = new Pace(20, BEGUN);
        assertThat(pace.after(10, millis(8_000))).as("at once").isEqualTo(millis(8_000));
        assertThat(pace.after(10, millis(8_100))).isEqualTo(millis(8_500));
        assertThat(pace.after(10, millis(8_600))).isEqualTo(millis(9_000));
    }
}
