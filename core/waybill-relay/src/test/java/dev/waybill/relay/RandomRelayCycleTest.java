package dev.waybill.relay;

import dev.waybill.tck.Seeds;
import org.junit.jupiter.api.Test;

/** Thousands of short random runs of a relay with all kinds of failures: nothing is lost and order is kept. */
class RandomRelayCycleTest {
    private static final int RUNS_PER_SEED = 400;

    @Test
    void nothing_is_lost_and_keys_stay_in_order_whatever_happens() {
        Seeds.all(RUNS_PER_SEED).forEach(RandomRelayCycleTest::run);
    }

    private static void run(long seed) {
        RandomRun run = new RandomRun(seed);
        try {
            run.live();
            run.drainAndJudge();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("Seed " + seed + ": " + e.getMessage() + "\n" + run, e);
        }
    }
}
