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
        assertThat(pace.beginning(10, millis(100))).isEqualTo(millis(500));
        assertThat(pace.beginning(10, millis(900))).isEqualTo(millis(1_000));
        assertThat(pace.beginning(5, millis(1_001))).isEqualTo(millis(1_250));
    }

    @Test
    void no_more_than_the_rate_begins_within_the_first_second() {
        for (int rate : new int[] {3, 100, 399, 401, 500}) {
            Pace pace = new Pace(rate, BEGUN);
            int step = Math.max(1, Math.min(200, rate / 2));
            int begun = 0;
            for (long at = pace.beginning(step, BEGUN); at <= millis(1_000); at = pace.beginning(step, at)) {
                begun += step;
            }
            assertThat(begun).isPositive().isLessThanOrEqualTo(rate);
        }
    }

    @Test
    void after_a_late_step_the_pace_continues_from_then() {
        Pace pace = new Pace(20, BEGUN);
        assertThat(pace.beginning(10, millis(8_000))).as("at once").isEqualTo(millis(8_000));
        assertThat(pace.beginning(10, millis(8_100))).isEqualTo(millis(8_500));
        assertThat(pace.beginning(10, millis(8_600))).isEqualTo(millis(9_000));
    }
}
