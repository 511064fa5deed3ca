package dev.waybill.registry;

/**
 * How much of a payload is looked at; what goes beyond is refused.
 *
 * @param bytes the largest payload. Raise it together with the outbox's and the broker's limit
 * @param depth how deep lists and objects may nest
 */
public record PayloadLimits(int bytes, int depth) {
    public static final PayloadLimits DEFAULT = new PayloadLimits(1_000_000, 100);

    /** Deeper ones could exhaust the stack of whoever checks them. */
    private static final int DEEPEST = 500;

    public PayloadLimits {
        if (bytes < 1 || depth < 1 || depth > DEEPEST) {
            throw new IllegalArgumentException("Limits of " + bytes + " bytes and a depth of " + depth
                    + ": give at least 1 byte, and a depth from 1 to " + DEEPEST + ".");
        }
    }
}
