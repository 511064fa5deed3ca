package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every call fails in turn: a scenario is run with its first call to the database failing, then its second, and so on until
 * a run meets no failure, in each of the ways a call can fail. After each run nothing is lost, delivered though rolled back,
 * out of order, stuck or counted wrongly, and no connection is left open.
 */
abstract class FaultContract extends ChanceContract {
    private static final int MOST_CALLS = 2_000;

    /** Every call, in one way each. Again with {@code -Dwaybill.seed=… -Dwaybill.scenario=PARK}. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void whichever_call_fails_nothing_is_lost() {
        long seed = Long.getLong("waybill.seed", new Random().nextLong(1_000_000_000L));
        Random random = new Random(seed);
        failInTurn("seed " + seed, ways -> one(ways, random));
    }

    @Test
    @Tag("full")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void whichever_call_fails_in_whichever_way_nothing_is_lost() {
        failInTurn("all ways", ways -> ways);
    }

    /** Chooses in which ways the next call fails. */
    private interface Choice {
        Collection<Failure> of(Set<Failure> ways);
    }

    /** An Error, an error of the server, or one of the others: each leaves a connection and a transaction differently. */
    private static Collection<Failure> one(Set<Failure> ways, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> Set.of(Failure.ERROR);
            case 1 -> Set.of(any(ways, Failure.OF_A_SERVER, random));
            default -> Set.of(any(ways, EnumSet.complementOf(EnumSet.copyOf(Failure.OF_A_SERVER)), random));
        };
    }

    private static Failure any(Set<Failure> ways, Set<Failure> among, Random random) {
        List<Failure> possible = ways.stream().filter(among::contains).sorted().toList();
        return possible.isEmpty() ? Failure.ERROR : possible.get(random.nextInt(possible.size()));
    }

    private void failInTurn(String chosenBy, Choice choice) {
        assumeTrue(harness().faults().isPresent(), "calls of this store cannot be made to fail yet");
        List<String> violations = new ArrayList<>();
        int injected = 0;
        for (FaultScenario scenario : FaultScenario.values()) {
            boolean asked = scenario.name().matches(System.getProperty("waybill.scenario", ".*"));
            boolean applies = !scenario.replays() || harness() instanceof ReplayHarness;
            if (asked && applies) {
                injected += failInTurn(scenario, choice, violations);
            }
        }
        System.out.println(getClass().getSimpleName() + ": every call fails in turn (" + chosenBy + "): " + injected
                + " failures injected, " + violations.size() + " violations");
        assertThat(violations)
                .as("violations of %d failures, %s", injected, chosenBy)
                .isEmpty();
    }

    private int failInTurn(FaultScenario scenario, Choice choice, List<String> violations) {
        int injected = 0;
        for (int call = 1; call < MOST_CALLS; call++) {
            boolean struck = false;
            for (Failure how : choice.of(harness().faults().orElseThrow().ways())) {
                if (run(scenario, call, how, violations)) {
                    struck = true;
                    injected++;
                }
            }
            if (!struck) {
                return injected;
            }
        }
        throw new AssertionError("The scenario " + scenario + " still makes calls after " + MOST_CALLS + ".");
    }

    private boolean run(FaultScenario scenario, int call, Failure how, List<String> violations) {
        StoreHarness store = newStore();
        try (store) {
            FaultInjection injection = store.faults().orElseThrow();
            List<String> found = new RunWithFault(store, injection).play(scenario, call, how);
            String where =
                    scenario + ", call " + call + " (" + injection.faults().struckAt() + "), " + how + ": ";
            found.forEach(violation -> violations.add(where + violation));
            return injection.faults().struck();
        }
    }
}
