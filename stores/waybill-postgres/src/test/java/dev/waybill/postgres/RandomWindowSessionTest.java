package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.tck.Seeds;
import java.util.PrimitiveIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lives of a relay whose position is committed elsewhere, made up at random. */
class RandomWindowSessionTest {
    private static final int RUNS_PER_SEED = 3;
    private static final int RUNS_PER_SEED_IN_FULL = 8;
    private static final int STEPS = 60;

    private final JournalDatabase database = JournalDatabase.create();

    @Test
    void every_event_is_committed_once_or_discarded() throws Exception {
        run(RUNS_PER_SEED);
    }

    @Test
    @Tag("full")
    void every_event_is_committed_once_or_discarded_in_many_lives() throws Exception {
        run(RUNS_PER_SEED_IN_FULL);
    }

    private void run(int runsPerSeed) throws Exception {
        int runs = 0;
        int events = 0;
        for (PrimitiveIterator.OfLong seeds = Seeds.all(runsPerSeed).iterator(); seeds.hasNext(); runs++) {
            long seed = seeds.nextLong();
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
        System.out.println("windows at random: " + runs + " lives, " + events + " events, 0 problems");
        assertThat(events).isGreaterThan(10 * runs);
    }
}
