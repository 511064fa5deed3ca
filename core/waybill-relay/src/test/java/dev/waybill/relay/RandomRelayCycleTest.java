package dev.waybill.relay;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Thousands of short random runs of a relay with all kinds of failures: nothing is lost and order is kept. */
class RandomRelayCycleTest {
    private static final int RUNS_PER_SEED = 400;

    /** More with {@code -Dwaybill.seeds=50}; one again with {@code -Dwaybill.seed=…}. */
    @Test
    void nothing_is_lost_and_keys_stay_in_order_whatever_happens() {
        Long repeated = Long.getLong("waybill.seed");
        if (repeated != null) {
            run(repeated);
            return;
        }
        long first = new Random().nextLong(1_000_000_000_000L);
        int runs = Integer.getInteger("waybill.seeds", 5) * RUNS_PER_SEED;
        System.out.println("RandomRelayCycleTest: " + runs + " runs from seed " + first);
        for (long seed = first; seed < first + runs; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        RandomRun run = new RandomRun(seed);
        try {
            run.live();
            run.drainAndJudge();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "Seed " + seed + " (again with -Dwaybill.seed=" + seed + "): " + e.getMessage() + "\n" + run, e);
        }
    }
}
