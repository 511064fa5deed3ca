package dev.waybill.inbox;

import org.slf4j.Logger;

/** Tells of what nobody provided for. */
final class Defects {
    private Defects() {}

    /** Never throws: whoever reports a defect goes on. The exception's own text is left out, it may throw or tell too much. */
    static void report(Logger log, Vitals vitals, String consumer, String what, Throwable e) {
        try {
            String kind = e.getClass().getName();
            vitals.defect("A defect: " + what + " (" + kind + ").");
            log.error("Consumer {}: a defect, {} ({} {}). It is tried again.", consumer, what, kind, place(e));
        } catch (RuntimeException | Error another) {
            // No memory even for that.
            return;
        }
    }

    private static String place(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length == 0 ? "" : "at " + trace[0];
    }
}
