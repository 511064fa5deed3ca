package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** A random sequence of claims, failures, releases, takeovers and requeues. */
abstract class ChanceContract extends WritersContract {
    private static final int STEPS = 250;

    @Test
    void whatever_happens_to_a_relay_nothing_is_lost_and_keys_keep_their_order() {
        long seed = Seeds.one();
        System.out.println(getClass().getSimpleName() + "'s seed of chance: " + seed);
        LifeByChance life = new LifeByChance(this, new Random(seed));
        try {
            life.live(STEPS);
            life.drainAndRequeue();
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + life, e);
        }
        assertThat(life.delivered())
                .as("delivered; seed %s\n%s", seed, life)
                .containsExactlyInAnyOrderElementsOf(life.appended());
        if (harness().ordered()) {
            assertThat(life.firstDeliveriesByKey())
                    .as("seed %s\n%s", seed, life)
                    .isEqualTo(life.appendedByKey());
        }
    }
}
