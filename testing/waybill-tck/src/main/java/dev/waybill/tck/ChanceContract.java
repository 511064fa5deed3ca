package dev.waybill.tck;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random lives of a store: applications append, relays claim, fail, are killed, suspended and replaced, an operator discards, requeues,
 * replays, pauses, purges and drops, and other workers publish events.
 */
abstract class ChanceContract extends OtherWorkersContract {
    private static final int STEPS = 250;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void whatever_happens_to_a_store_nothing_is_lost_and_keys_keep_their_order() {
        Seeds.all().forEach(seed -> {
            live(seed);
            closeStore();
            openStore();
        });
    }

    private void live(long seed) {
        LifeByChance life = new LifeByChance(this, new Random(seed));
        try {
            life.live(STEPS);
            life.finish();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + life, e);
        }
    }
}
