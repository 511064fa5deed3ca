package dev.waybill.admin;

/**
 * What an examination found.
 *
 * @param subject what was looked at, in a word or two
 * @param what how it is
 * @param remedy what to do about it; empty when all is well
 */
public record Finding(Severity severity, String subject, String what, String remedy) {
    /** How bad it is; the worst comes last. */
    public enum Severity {
        /** As it should be. */
        FINE,
        /** It works, but will bite, or cannot be told. */
        WARNING,
        /** Events are held up, or a promise does not hold. */
        PROBLEM
    }

    public Finding {
        if (remedy.isBlank() != (severity == Severity.FINE)) {
            throw new IllegalArgumentException("A finding has a remedy unless all is well: " + subject + ", " + what);
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
