package dev.waybill.pubsub;

import dev.waybill.spi.OutboundMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The batches of a session, and which of them the relay has surely seen. Used under the session's lock. */
final class Batches {
    private final Deque<PublishedBatch> inFlight = new ArrayDeque<>();
    private long count;
    private long seenBelow;

    PublishedBatch begin(List<OutboundMessage> messages) {
        PublishedBatch batch = new PublishedBatch(count++, messages);
        inFlight.add(batch);
        return batch;
    }

    /**
     * Said at each publish: what was complete at the last one the relay has taken in before it came again.
     *
     * @return the relay has seen all batches below this number
     */
    long relayPublishesAgain() {
        long seen = seenBelow;
        while (!inFlight.isEmpty() && inFlight.getFirst().isComplete()) {
            inFlight.removeFirst();
        }
        seenBelow = inFlight.isEmpty() ? count : inFlight.getFirst().number();
        return seen;
    }

    boolean areComplete() {
        return inFlight.stream().allMatch(PublishedBatch::isComplete);
    }
}
