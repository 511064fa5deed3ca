package dev.waybill.tck.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.Seeds;
import dev.waybill.tck.SeedsInFailures;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.FaultInjection.Answer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Part five: every request fails in turn. Messages are sent repeatedly with the first request to the broker failing,
 * then the second, and so on until a run has no failure, in each of the ways a request can fail. After each run all
 * messages have arrived except those that the broker refused, first deliveries are in order, and the destination still
 * works.
 */
@ExtendWith(SeedsInFailures.class)
abstract class FailingRequestsContract extends OutageContract {
    private static final int MOST_REQUESTS = 300;

    /** A destination that gives up on a request that hangs within a second. */
    protected DestinationHarness newImpatientDestination() {
        return newDestination();
    }

    /** In a normal run, one of this many requests fails. */
    protected int oneOf() {
        return 1;
    }

    /**
     * Requests are answered with one of the broker's errors; fewer of them hang, because that takes long. Repeat a run
     * with {@code -Dwaybill.seed=…}.
     */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whichever_request_fails_everything_arrives_in_order() {
        long seed = Seeds.one();
        Random random = new Random(seed);
        failInTurn("seed " + seed, (how, answers) -> {
            boolean tried = random.nextInt(how == Failure.STALL ? 3 * oneOf() : oneOf()) == 0;
            return tried ? List.of(answers.get(random.nextInt(answers.size()))) : List.of();
        });
    }

    @Test
    @Tag("full")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void whichever_request_is_answered_with_whichever_error_everything_arrives_in_order() {
        failInTurn("all errors", (how, answers) -> answers);
    }

    /** Selects the errors with which the next request is answered; none if it does not fail. */
    private interface Choice {
        List<Answer> of(Failure how, List<Answer> answers);
    }

    private void failInTurn(String chosenBy, Choice choice) {
        assumeTrue(harness.faults().isPresent(), "requests of this destination cannot be made to fail");
        FaultInjection injection = harness.faults().orElseThrow();
        List<String> violations = new ArrayList<>();
        int injected = 0;
        for (Failure how : new TreeSet<>(injection.ways())) {
            List<Answer> all = how == Failure.BEFORE ? injection.answers() : List.of(Answer.MAY_PASS);
            boolean struck = true;
            for (int request = 1; struck; request++) {
                assertThat(request).as("requests of one run").isLessThan(MOST_REQUESTS);
                List<Answer> chosen = choice.of(how, all);
                struck = chosen.isEmpty();
                for (Answer answer : chosen) {
                    if (run(request, how, answer, violations)) {
                        struck = true;
                        injected++;
                    }
                }
            }
        }
        System.out.println(getClass().getSimpleName() + ": every request fails in turn (" + chosenBy + "): " + injected
                + " failures injected, " + violations.size() + " violations");
        assertThat(violations)
                .as("violations of %d failures, %s", injected, chosenBy)
                .isEmpty();
    }

    /** @return whether a request failed */
    private boolean run(int request, Failure how, Answer answer, List<String> violations) {
        DestinationHarness fresh = newImpatientDestination();
        try (fresh) {
            FaultInjection injection = fresh.faults().orElseThrow();
            String topic = fresh.newTopic();
            Post sender = new Post(fresh.destination());
            List<OutboundMessage> messages = sender.messages(topic, 20, 3);
            SendInOrder sending = new SendInOrder(fresh.destination(), messages, answer.refuses());
            List<String> found = new ArrayList<>();
            injection.faults().arm(request, how, answer, () -> {});
            try {
                sending.sendAll();
            } catch (AssertionError e) {
                found.add("stuck: " + e.getMessage());
            }
            injection.faults().disarm();
            messages.removeAll(sending.refused());
            judge(fresh, topic, messages, found);
            try {
                sending.sendToo(sender.message(topic, "after"));
            } catch (AssertionError e) {
                found.add("the destination does not work any more: " + e.getMessage());
            }
            String where =
                    "request " + request + " (" + injection.faults().struckAt() + "), " + how + " " + answer.name();
            found.forEach(violation -> violations.add(where + ": " + violation));
            return injection.faults().struck();
        }
    }

    private static void judge(
            DestinationHarness fresh, String topic, List<OutboundMessage> messages, List<String> found) {
        Map<String, List<String>> received = Post.valuesByKey(fresh.everythingOn(topic));
        Post.sentByKey(messages).forEach((key, sent) -> {
            List<String> firsts = new ArrayList<>(new LinkedHashSet<>(received.getOrDefault(key, List.of())));
            if (!firsts.containsAll(sent)) {
                found.add("lost of " + key + ": only " + firsts);
            } else if (!firsts.equals(sent)) {
                found.add("out of order: " + firsts);
            }
        });
    }
}
