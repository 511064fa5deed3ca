package dev.waybill.registry;

/**
 * Maximum size of a payload.
 *
 * @param bytes maximum size; raise it together with the limits of the outbox and the broker
 * @param depth maximum nesting of lists and objects
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
            throw new IllegalArgumentException("The payload limits are " + bytes + " bytes and a depth of " + depth
                    + ": use at least 1 byte, and a depth from 1 to " + DEEPEST + ".");
        }
    }
}
