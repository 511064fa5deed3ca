package dev.waybill.admin;

/**
 * One result of a check.
 *
 * @param subject what was checked, in a word or two
 * @param what the observed state
 * @param remedy what to do; empty if nothing is wrong
 */
public record Finding(Severity severity, String subject, String what, String remedy) {
    /** The subject of sessions that keep tables locked which relays need. */
    public static final String LOCKS = "locks";

    /** In increasing order. */
    public enum Severity {
        /** As expected. */
        FINE,
        /** Works, but may cause problems later, or could not be checked. */
        WARNING,
        /** Events are delayed, or a guarantee does not hold. */
        PROBLEM
    }

    public Finding {
        if (remedy.isBlank() != (severity == Severity.FINE)) {
            throw new IllegalArgumentException(
                    "The finding \"" + subject + ": " + what + "\" has no remedy: only a fine one may have none.");
        }
    }

    public static Finding fine(String subject, String what) {
        return new Finding(Severity.FINE, subject, what, "");
    }

    public static Finding warning(String subject, String what, String remedy) {
        return new Finding(Severity.WARNING, subject, what, remedy);
    }

    public static Finding problem(String subject, String what, String remedy) {
        return new Finding(Severity.PROBLEM, subject, what, remedy);
    }
}
