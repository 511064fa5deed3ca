package dev.waybill.relay;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Aborts a relay's destination. One that fails at it keeps nobody from going on. */
final class CallBack {
    private static final Logger log = LoggerFactory.getLogger(CallBack.class);

    private CallBack() {}

    static void whatIsOut(RelayPlan plan) {
        try {
            plan.destination().abort();
        } catch (Throwable e) {
            log.error(
                    "Relay {}: the destination failed when it was to call back what is out. What it does not answer within"
                            + " {} s ends the session.",
                    plan.name(),
                    plan.options().inFlight().timeout().toSeconds(),
                    e);
        }
    }

    /** On a thread of its own: whoever asks does not wait for a destination that hangs. */
    static void apart(RelayPlan plan) {
        Thread thread = RelayThread.of("abort", plan.name(), () -> whatIsOut(plan));
        thread.setDaemon(true);
        thread.start();
    }
}
