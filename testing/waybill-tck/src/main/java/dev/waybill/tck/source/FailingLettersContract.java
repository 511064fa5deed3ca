package dev.waybill.tck.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.admin.Actor;
import dev.waybill.tck.Seeds;
import dev.waybill.tck.SeedsInFailures;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.FaultInjection.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every request of an operator fails in turn: dead letters are listed, found, sent back and discarded with the first
 * request to the broker failing, then the second, and so on until a run has no failure, in each of the ways a request
 * can fail. The operator retries failed requests. After each run the processed letters are gone, the others remain,
 * messages that were sent back have arrived, and discarded ones have not.
 */
@ExtendWith(SeedsInFailures.class)
abstract class FailingLettersContract {
    static final Actor PERSON = new Actor("night shift", "mended");
    private static final int MOST_REQUESTS = 300;

    /** A topic and its dead-letter topic, both empty, for one test. */
    protected abstract DeadLetterHarness newDeadLetters() throws Exception;

    /** A harness whose requests can be made to fail, and are given up within seconds if they hang. */
    protected DeadLetterHarness newImpatientDeadLetters() throws Exception {
        return newDeadLetters();
    }

    /** In a normal run, one of this many requests fails. */
    protected int oneOf() {
        return 1;
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whichever_request_fails_letters_are_dealt_with() throws Exception {
        long seed = Seeds.one();
        Random random = new Random(seed);
        failInTurn("seed " + seed, how -> random.nextInt(how == Failure.STALL ? 3 * oneOf() : oneOf()) == 0);
    }

    @Test
    @Tag("full")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void whichever_request_fails_in_whichever_way_letters_are_dealt_with() throws Exception {
        failInTurn("all", how -> true);
    }

    private void failInTurn(String chosenBy, Predicate<Failure> chosen) throws Exception {
        Set<Failure> ways = new TreeSet<>();
        List<Answer> answers = new ArrayList<>();
        try (DeadLetterHarness harness = newImpatientDeadLetters()) {
            assumeTrue(harness.faults().isPresent(), "requests to this broker cannot be made to fail");
            ways.addAll(harness.faults().orElseThrow().ways());
            answers.addAll(harness.faults().orElseThrow().answers());
        }
        List<String> violations = new ArrayList<>();
        int injected = 0;
        for (Failure how : ways) {
            boolean struck = true;
            for (int request = 1; struck; request++) {
                assertThat(request).as("requests of one run").isLessThan(MOST_REQUESTS);
                if (chosen.test(how)) {
                    struck = run(request, how, answers.get(request % answers.size()), violations);
                    injected += struck ? 1 : 0;
                }
            }
        }
        System.out.println(getClass().getSimpleName() + ": every request about dead letters fails in turn (" + chosenBy
                + "): " + injected + " failures injected, " + violations.size() + " violations");
        assertThat(violations)
                .as("violations of %d failures, %s", injected, chosenBy)
                .isEmpty();
    }

    /** @return whether a request failed */
    private boolean run(int request, Failure how, Answer answer, List<String> violations) throws Exception {
        try (DeadLetterHarness harness = newImpatientDeadLetters()) {
            FaultInjection injection = harness.faults().orElseThrow();
            new GivingUp(harness).giveUp("1", "2", "3");
            FailedOperation operator = new FailedOperation(harness);
            injection.faults().arm(request, how, answer, () -> {});
            List<String> found = operator.violations();
            try {
                operator.dealWithLetters();
                injection.faults().disarm();
                operator.judge(injection.faults().struck());
            } catch (RuntimeException | AssertionError e) {
                found.add("stuck: " + e);
            } finally {
                injection.faults().disarm();
            }
            String where =
                    "request " + request + " (" + injection.faults().struckAt() + "), " + how + " " + answer.name();
            found.forEach(violation -> violations.add(where + ": " + violation));
            return injection.faults().struck();
        }
    }
}
