package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the one thread that waits; a signal that comes before the wait is not lost. */
final class Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private boolean isRaised;
    private boolean isHurried;
    private long hurriedUntil;

    void raise() {
        lock.lock();
        try {
            isRaised = true;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait after this time at the latest. */
    void raiseIn(Duration time) {
        lock.lock();
        try {
            if (!isHurried) {
                isHurried = true;
                hurriedUntil = System.nanoTime() + time.toNanos();
                raised.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is raised or the time has passed, then resets it. */
    void await(Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long end = System.nanoTime() + atMost.toNanos();
            for (long left = left(end); !isRaised && left > 0; left = left(end)) {
                raised.awaitNanos(left);
            }
            isRaised = false;
            isHurried = false;
        } finally {
            lock.unlock();
        }
    }

    private long left(long end) {
        long now = System.nanoTime();
        return isHurried ? Math.min(end - now, hurriedUntil - now) : end - now;
    }
}
