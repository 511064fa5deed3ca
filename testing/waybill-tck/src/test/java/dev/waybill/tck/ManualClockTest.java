package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class ManualClockTest {

    @Test
    void it_stands_still_until_it_is_moved() {
        ManualClock clock = new ManualClock(Instant.EPOCH);
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
        clock.advance(Duration.ofMillis(5));
        clock.advance(Duration.ofSeconds(1));

        assertThat(clock.instant()).isEqualTo(Instant.ofEpochMilli(1_005));
        assertThat(clock.millis()).isEqualTo(1_005);
    }

    @Test
    void it_begins_now_in_whole_milliseconds() {
        Instant before = Instant.now();
        Instant begun = new ManualClock().instant();

        assertThat(begun).isBetween(before.minusMillis(1), Instant.now());
        assertThat(begun).isEqualTo(begun.truncatedTo(ChronoUnit.MILLIS));
    }
}
