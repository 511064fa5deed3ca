package dev.waybill.tck;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random lives of a store: applications append, relays claim, fail, are killed, suspended and replaced, an operator discards, requeues,
 * replays, pauses, purges and drops, and other workers take events.
 */
abstract class ChanceContract extends OtherWorkersContract {
    private static final int STEPS = 250;
    private static final int LIVES = Integer.getInteger("waybill.lives", 3);

    /** Repeat a life with {@code -Dwaybill.seed=…}; more lives: {@code -Dwaybill.lives=…}. */
    @Test
    void whatever_happens_to_a_relay_nothing_is_lost_and_keys_keep_their_order() {
        long seed = Long.getLong("waybill.seed", new Random().nextLong(1_000_000_000L));
        System.out.println(getClass().getSimpleName() + "'s seed of chance: " + seed);
        for (int i = 0; i < LIVES; i++) {
            live(seed + i);
            newLife();
        }
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

    private void newLife() {
        closeStore();
        openStore();
    }
}
