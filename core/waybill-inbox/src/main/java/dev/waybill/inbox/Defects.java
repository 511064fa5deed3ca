package dev.waybill.inbox;

import org.slf4j.Logger;

/** Reports unexpected failures. */
final class Defects {
    private Defects() {}

    /** Never throws. The exception's message is left out: getting it may throw, and it may contain personal data. */
    static void report(Logger log, CurrentProblems problems, String consumer, String what, Throwable e) {
        try {
            String kind = e.getClass().getName();
            problems.defect("A defect: " + what + " (" + kind + ").");
            log.error("Consumer {}: a defect, {} ({} {}). It is tried again.", consumer, what, kind, place(e));
        } catch (Throwable another) {
            // Out of memory: nothing more can be logged.
            return;
        }
    }

    private static String place(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length == 0 ? "" : "at " + trace[0];
    }
}
