package dev.waybill.tck.destination;

import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Chapter five: every request fails in turn. Messages are sent again and again with the first request to the broker failing,
 * then the second, and so on until a run meets no failure, in each of the ways a request can fail. After each run everything
 * has arrived, first deliveries are in order, and the destination still works.
 */
abstract class FailingRequestsContract extends OutageContract {
    private static final int MOST_REQUESTS = 300;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whichever_request_fails_everything_arrives_in_order() {
        assumeTrue(harness.faults().isPresent(), "requests of this destination cannot be made to fail yet");
        List<String> violations = new ArrayList<>();
        int injected = 0;
        for (Failure how : harness.faults().orElseThrow().ways()) {
            int request = 1;
            while (run(request, how, violations)) {
                injected++;
                assertThat(++request).as("requests of one run").isLessThan(MOST_REQUESTS);
            }
        }
        System.out.println(getClass().getSimpleName() + ": every request fails in turn: " + injected
                + " failures injected, " + violations.size() + " violations");
        assertThat(violations).as("violations of %d failures", injected).isEmpty();
    }

    /** @return whether a request failed */
    private boolean run(int request, Failure how, List<String> violations) {
        DestinationHarness fresh = newDestination();
        try (fresh) {
            FaultInjection injection = fresh.faults().orElseThrow();
            String topic = fresh.newTopic();
            Post sender = new Post(fresh.destination());
            List<OutboundMessage> messages = sender.messages(topic, 20, 3);
            List<String> found = new ArrayList<>();
            injection.faults().arm(request, how, () -> {});
            try {
                new SendInOrder(fresh.destination(), messages).sendAll();
            } catch (AssertionError e) {
                found.add("stuck: " + e.getMessage());
            }
            injection.faults().disarm();
            judge(fresh, topic, messages, found);
            String where = "request " + request + " (" + injection.faults().struckAt() + "), " + how + ": ";
            found.forEach(violation -> violations.add(where + violation));
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
        Post after = new Post(fresh.destination());
        if (!after.publish(after.message(topic, "after")).equals(List.of(DELIVERED))) {
            found.add("the destination does not work any more");
        }
    }
}
