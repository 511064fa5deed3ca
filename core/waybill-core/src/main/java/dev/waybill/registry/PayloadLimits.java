package dev.waybill.registry;

/**
 * How large a payload may be; larger ones are refused.
 *
 * @param bytes the largest payload. Raise it together with the outbox's and the broker's limit
 * @param depth how deep lists and objects may nest
 */
public record PayloadLimits(int bytes, int depth) {
    private static final PayloadLimits DEFAULTS = new PayloadLimits(1_000_000, 100);

    /** Deeper nesting could exhaust the stack of a check. */
    private static final int DEEPEST = 500;

    public static PayloadLimits defaults() {
        return DEFAULTS;
    }

    public PayloadLimits {
        if (bytes < 1 || depth < 1 || depth > DEEPEST) {
            throw new IllegalArgumentException("Limits of " + bytes + " bytes and a depth of " + depth
                    + ": give at least 1 byte, and a depth from 1 to " + DEEPEST + ".");
        }
    }
}
