package dev.waybill.inbox;

import dev.waybill.spi.support.UserCode;
import org.slf4j.Logger;

/** Reports unexpected failures. */
final class Defects {
    private Defects() {}

    /** Never throws. The exception's message is left out: getting it may throw, and it may contain personal data. */
    static void report(Logger log, CurrentProblems problems, String consumer, String what, Throwable e) {
        try {
            String kind = e.getClass().getName();
            problems.defect("A defect: " + what + " (" + kind + ").");
            log.error("Consumer {}: a defect, {} ({}). It is tried again.", consumer, what, UserCode.describe(e));
        } catch (Throwable another) {
            // Out of memory: nothing more can be logged.
            return;
        }
    }
}
