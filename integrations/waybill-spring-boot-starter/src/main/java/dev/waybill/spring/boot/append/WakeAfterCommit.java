package dev.waybill.spring.boot.append;

import dev.waybill.WakeSignal;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Wakes relays when the events can be seen. Before the commit they would look in vain. First of all callbacks, since others may
 * take long.
 */
record WakeAfterCommit(WakeSignal signal) implements TransactionSynchronization {
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        signal.raise();
    }

    /** A commit whose outcome is unknown may have happened. */
    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_UNKNOWN) {
            signal.raise();
        }
    }
}
