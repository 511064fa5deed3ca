package dev.waybill.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Aborts a relay's destination. If that fails, it is logged and the caller continues. */
final class AbortDestination {
    private static final Logger log = LoggerFactory.getLogger(AbortDestination.class);

    private AbortDestination() {}

    static void now(RelayPlan plan) {
        try {
            plan.destination().abort();
        } catch (Throwable e) {
            log.error(
                    "Relay {}: the destination could not abort its messages in flight. If it does not answer them within"
                            + " {} s, the session ends.",
                    plan.name(),
                    plan.options().inFlight().timeout().toSeconds(),
                    e);
        } finally {
            if (Thread.interrupted()) {
                log.warn(
                        "Relay {}: the destination left its thread interrupted; the interrupt is cleared.",
                        plan.name());
            }
        }
    }

    /** On a separate thread, so that the caller does not wait for a destination that hangs. */
    static void onOwnThread(RelayPlan plan) {
        Thread thread = RelayThread.of("abort", plan.name(), () -> now(plan));
        thread.setDaemon(true);
        thread.start();
    }
}
