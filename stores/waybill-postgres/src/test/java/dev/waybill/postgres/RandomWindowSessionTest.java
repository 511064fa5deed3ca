package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lives of a relay whose position is committed elsewhere, made up at random. Repeat one with {@code -Dwaybill.seed=…}. */
class RandomWindowSessionTest {
    private static final int RUNS = 6;
    private static final int RUNS_IN_FULL = 400;
    private static final int STEPS = 60;

    private final JournalDatabase database = JournalDatabase.create();

    @Test
    void every_event_is_committed_once_or_discarded() throws Exception {
        run(RUNS);
    }

    @Test
    @Tag("full")
    void every_event_is_committed_once_or_discarded_in_many_lives() throws Exception {
        run(RUNS_IN_FULL);
    }

    private void run(int runs) throws Exception {
        long first = Long.getLong("waybill.seed", new Random().nextLong(1_000_000_000L));
        int events = 0;
        for (long seed = first; seed < first + runs; seed++) {
            database.empty();
            try (LifeOfWindows life = new LifeOfWindows(database, seed)) {
                for (int step = 0; step < STEPS; step++) {
                    life.step();
                }
                life.drain();
                assertThat(life.problems()).as("seed %d: %s", seed, life).isEmpty();
                events += life.published();
            }
        }
        System.out.println(
                "windows at random (seeds from " + first + "): " + runs + " lives, " + events + " events, 0 problems");
        assertThat(events).isGreaterThan(10 * runs);
    }
}
