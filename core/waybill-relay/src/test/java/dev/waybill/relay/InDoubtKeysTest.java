package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.spi.Utf8;
import dev.waybill.tck.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** How often keys in doubt are retried. */
class InDoubtKeysTest {
    private final ManualClock clock = new ManualClock();
    private final InDoubtKeys keys = new InDoubtKeys(new RelayName("relay"), clock);

    private record Waiting(Utf8 key, Instant due) {}

    @Test
    void few_keys_are_retried_at_least_every_five_seconds() {
        assertThat(triesOfTheLastMinute(10)).isBetween(10 * 60 / 5, 10 * 60);
    }

    @Test
    void many_keys_are_retried_less_often() {
        assertThat(triesOfTheLastMinute(20_000)).isBetween(60, 60 * 700);
    }

    /** Each key is tried when it is due, for ten minutes. */
    private int triesOfTheLastMinute(int count) {
        PriorityQueue<Waiting> waiting = new PriorityQueue<>(Comparator.comparing(Waiting::due));
        Instant end = clock.instant().plus(Duration.ofMinutes(10));
        for (int i = 0; i < count; i++) {
            waiting.add(new Waiting(Utf8.of("key-" + i), clock.instant()));
        }
        int tries = 0;
        while (waiting.peek().due().isBefore(end)) {
            Waiting next = waiting.remove();
            if (next.due().isAfter(clock.instant())) {
                clock.advance(Duration.between(clock.instant(), next.due()));
            }
            if (clock.instant().isAfter(end.minusSeconds(60))) {
                tries++;
            }
            waiting.add(new Waiting(next.key(), keys.inDoubt(next.key(), "partition unavailable")));
        }
        return tries;
    }
}
