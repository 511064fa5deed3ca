package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the one thread that waits; a signal that comes before the wait is not lost. */
final class Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private boolean isRaised;

    void raise() {
        lock.lock();
        try {
            isRaised = true;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Until it is raised or the time has passed; then it is lowered. */
    void await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long nanos = atMost.toNanos();
            while (!isRaised && nanos > 0) {
                nanos = raised.awaitNanos(nanos);
            }
            isRaised = false;
        } finally {
            lock.unlock();
        }
    }
}
