package dev.waybill.spi.support;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers messages. The last answer completes a batch: at once or, if the thread holds the session's lock, after it has been
 * released, because the publisher's code that runs then may take its own locks.
 */
public final class Answers {
    private final ReentrantLock lock;
    private final List<InFlightBatch> toComplete = new ArrayList<>();

    public Answers(ReentrantLock lock) {
        this.lock = lock;
    }

    /** With or without the lock. */
    public void answer(Place place, Delivery outcome) {
        if (place.answer(outcome)) {
            if (lock.isHeldByCurrentThread()) {
                toComplete.add(place.batch());
            } else {
                place.batch().complete();
            }
        }
    }

    /** Releases the lock, then completes the batches that were answered while it was held. */
    public void unlockAndComplete() {
        List<InFlightBatch> complete = toComplete.isEmpty() ? List.of() : List.copyOf(toComplete);
        toComplete.clear();
        lock.unlock();
        complete.forEach(InFlightBatch::complete);
    }
}
