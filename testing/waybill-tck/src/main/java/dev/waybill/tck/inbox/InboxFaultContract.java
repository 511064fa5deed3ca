package dev.waybill.tck.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.tck.Seeds;
import dev.waybill.tck.SeedsInFailures;
import dev.waybill.tck.faults.Failure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every call of an inbox and of its transactions fails in turn: a scenario is run with the first one failing, then the
 * second, and so on until a run has no failure, in each of the ways a call can fail. After each run every event has had
 * its effect once, nothing was acknowledged without it, nothing is stuck or counted as an attempt, and connections were
 * returned without an open transaction. An inbox is complete when its subclasses of this and of {@link InboxContract}
 * pass.
 *
 * @param <T> the transaction
 */
@ExtendWith(SeedsInFailures.class)
public abstract class InboxFaultContract<T> {
    private static final int MOST_CALLS = 500;

    /** An empty inbox for one run. */
    protected abstract InboxFaultHarness<T> newInbox() throws Exception;

    /** Every call fails in one way. Repeat a run with {@code -Dwaybill.seed=… -Dwaybill.scenario=BATCH}. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whichever_call_fails_every_event_has_one_effect() throws Exception {
        long seed = Seeds.one();
        Random random = new Random(seed);
        failInTurn("seed " + seed, ways -> Set.of(one(ways, random)));
    }

    @Test
    @Tag("full")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void whichever_call_fails_in_whichever_way_every_event_has_one_effect() throws Exception {
        failInTurn("all ways", ways -> ways);
    }

    /** Selects the ways in which the next call fails. */
    private interface Choice {
        Collection<Failure> of(Set<Failure> ways);
    }

    private static Failure one(Set<Failure> ways, Random random) {
        List<Failure> sorted = ways.stream().sorted().toList();
        return sorted.get(random.nextInt(sorted.size()));
    }

    private void failInTurn(String chosenBy, Choice choice) throws Exception {
        List<String> violations = new ArrayList<>();
        int injected = 0;
        for (InboxScenario scenario : InboxScenario.values()) {
            if (scenario.name().matches(System.getProperty("waybill.scenario", ".*"))) {
                injected += failInTurn(scenario, choice, violations);
            }
        }
        System.out.println(getClass().getSimpleName() + ": every call of an inbox fails in turn (" + chosenBy + "): "
                + injected + " failures injected, " + violations.size() + " violations");
        assertThat(violations)
                .as("violations of %d failures, %s", injected, chosenBy)
                .isEmpty();
    }

    private int failInTurn(InboxScenario scenario, Choice choice, List<String> violations) throws Exception {
        Set<Failure> ways;
        try (InboxFaultHarness<T> one = newInbox()) {
            if (!scenario.appliesTo(one)) {
                return 0;
            }
            ways = one.faults().ways();
        }
        int injected = 0;
        for (int call = 1; call < MOST_CALLS; call++) {
            boolean struck = false;
            for (Failure how : choice.of(ways)) {
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

    /** @return whether a call failed */
    private boolean run(InboxScenario scenario, int call, Failure how, List<String> violations) throws Exception {
        try (InboxFaultHarness<T> harness = newInbox()) {
            List<String> found = new InboxRun<>(harness).play(scenario, call, how);
            String where = scenario + ", call " + call + " ("
                    + harness.faults().faults().struckAt() + "), " + how + ": ";
            found.forEach(violation -> violations.add(where + violation));
            return harness.faults().faults().struck();
        }
    }
}
