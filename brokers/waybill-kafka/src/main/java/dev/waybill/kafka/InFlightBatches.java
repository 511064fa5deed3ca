package dev.waybill.kafka;

import dev.waybill.kafka.WaitingRoom.Place;
import dev.waybill.spi.OutboundMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The batches that are out, in the order of their publishes. */
final class InFlightBatches {
    private final Deque<InFlightBatch> batches = new ArrayDeque<>();
    private long count;
    private long seenBelow;

    /**
     * What was complete at the last publish the relay has taken in before it came again.
     *
     * @return the number of the first batch whose answers the relay may not have seen
     */
    long seenBelow() {
        long seen = seenBelow;
        for (InFlightBatch first = batches.peek(); first != null && first.isComplete(); first = batches.peek()) {
            batches.remove();
        }
        InFlightBatch first = batches.peek();
        seenBelow = first == null ? count : first.number();
        return seen;
    }

    InFlightBatch add(List<OutboundMessage> messages) {
        InFlightBatch batch = new InFlightBatch(count++, messages);
        batches.add(batch);
        return batch;
    }

    boolean areComplete() {
        return batches.stream().allMatch(InFlightBatch::isComplete);
    }

    /** The messages that are not answered, in the order in which they were handed over. */
    List<Place> open() {
        List<Place> open = new ArrayList<>();
        for (InFlightBatch batch : batches) {
            for (int i = 0; i < batch.size(); i++) {
                if (batch.isOpen(i)) {
                    open.add(Place.of(batch, i));
                }
            }
        }
        return open;
    }
}
