package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers messages. The last answer completes a batch: at once, or after the session's lock is given back when the thread
 * holds it, because whoever waits for the batch may hold locks of his own.
 */
final class Answers {
    private final ReentrantLock lock;
    private final List<InFlightBatch> toComplete = new ArrayList<>();

    Answers(ReentrantLock lock) {
        this.lock = lock;
    }

    void delivered(InFlightBatch batch, int index) {
        if (batch.delivered(index)) {
            complete(batch);
        }
    }

    void failed(InFlightBatch batch, int index, Delivery outcome) {
        if (batch.failed(index, outcome)) {
            complete(batch);
        }
    }

    private void complete(InFlightBatch batch) {
        if (lock.isHeldByCurrentThread()) {
            toComplete.add(batch);
        } else {
            batch.complete();
        }
    }

    /** With the lock: what to complete without it. */
    List<InFlightBatch> toComplete() {
        if (toComplete.isEmpty()) {
            return List.of();
        }
        List<InFlightBatch> all = List.copyOf(toComplete);
        toComplete.clear();
        return all;
    }
}
