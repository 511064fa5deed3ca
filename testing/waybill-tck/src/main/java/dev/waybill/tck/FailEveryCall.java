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
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Runs every scenario with its first call to the database failing, then with later ones, until a run has no failure. */
final class FailEveryCall {
    private static final int MOST_CALLS = 2_000;

    /** Approximate number of calls in most scenarios. */
    private static final int SAMPLED = 130;

    private final long seed = Seeds.one();
    private final Random random = new Random(seed);
    private final String store;
    private final Supplier<StoreHarness> newStore;
    private final Set<Failure> ways;
    private final boolean replays;
    private final List<String> violations = new ArrayList<>();

    /** Selects the ways in which the next call fails. */
    private interface Choice {
        Collection<Failure> of(Set<Failure> ways);
    }

    /** @param one an instance created by newStore */
    FailEveryCall(String store, StoreHarness one, Supplier<StoreHarness> newStore) {
        assumeTrue(one.faults().isPresent(), "calls of this store cannot be made to fail yet");
        this.store = store;
        this.newStore = newStore;
        this.ways = one.faults().orElseThrow().ways();
        this.replays = one instanceof ReplayHarness && one.keeps().contains(StoredField.FINISHED_EVENTS);
    }

    /** Every call fails in one way. Repeat a run with {@code -Dwaybill.seed=… -Dwaybill.scenario=PARK}. */
    void inOneWay() {
        inTurn("seed " + seed, ways -> one(ways, random));
    }

    /** A sample of calls and scenarios, for a store that is too slow to run all of them every time. */
    void sample(int runs) {
        List<FaultScenario> scenarios = scenarios();
        int injected = 0;
        for (int i = 0; i < runs; i++) {
            FaultScenario scenario = scenarios.get(random.nextInt(scenarios.size()));
            injected += fail(scenario, 1 + random.nextInt(SAMPLED), ways -> one(ways, random));
        }
        requireNoViolation("a sample, seed " + seed, injected);
    }

    void inEveryWay() {
        inTurn("all ways", ways -> ways);
    }

    /** An Error, a server error, or another failure: each leaves the connection and the transaction in a different state. */
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

    private List<FaultScenario> scenarios() {
        String asked = System.getProperty("waybill.scenario", ".*");
        return Stream.of(FaultScenario.values())
                .filter(scenario -> scenario.name().matches(asked) && (replays || !scenario.replays()))
                .toList();
    }

    private void inTurn(String chosenBy, Choice choice) {
        int injected = 0;
        for (FaultScenario scenario : scenarios()) {
            injected += inTurn(scenario, choice);
        }
        requireNoViolation(chosenBy, injected);
    }

    private void requireNoViolation(String chosenBy, int injected) {
        System.out.println(store + ": every call fails in turn (" + chosenBy + "): " + injected + " failures injected, "
                + violations.size() + " violations");
        assertThat(violations)
                .as("violations of %d failures, %s", injected, chosenBy)
                .isEmpty();
    }

    private int inTurn(FaultScenario scenario, Choice choice) {
        int injected = 0;
        for (int call = 1; call < MOST_CALLS; call++) {
            int struck = fail(scenario, call, choice);
            injected += struck;
            if (struck == 0) {
                return injected;
            }
        }
        throw new AssertionError("The scenario " + scenario + " still makes calls after " + MOST_CALLS + ".");
    }

    /** @return number of runs in which the call was made and failed */
    private int fail(FaultScenario scenario, int call, Choice choice) {
        int struck = 0;
        for (Failure how : choice.of(ways)) {
            if (run(scenario, call, how)) {
                struck++;
            }
        }
        return struck;
    }

    private boolean run(FaultScenario scenario, int call, Failure how) {
        StoreHarness harness = newStore.get();
        try (harness) {
            FaultInjection injection = harness.faults().orElseThrow();
            List<String> found = new RunWithFault(harness, injection).play(scenario, call, how);
            String where =
                    scenario + ", call " + call + " (" + injection.faults().struckAt() + "), " + how + ": ";
            found.forEach(violation -> violations.add(where + violation));
            return injection.faults().struck();
        }
    }
}
