package dev.waybill.spi;

/**
 * Limits of one claim.
 *
 * @param events maximum number of events
 * @param bytes maximum size of all fields together, but at least one event is returned
 * @param largest an event whose payload, headers or content type has more bytes need not be read completely: see {@link
 *     StoredEvent#isWithheld}
 */
public record Limits(int events, long bytes, long largest) {
    public Limits {
        if (events < 1 || bytes < 1) {
            throw new IllegalArgumentException("The limits of a batch are " + events + " events and " + bytes
                    + " bytes: both must be at least 1.");
        }
        if (largest < 1) {
            throw new IllegalArgumentException("The limit for one event is " + largest + " bytes: use at least 1.");
        }
    }

    /** Events of any size. */
    public Limits(int events, long bytes) {
        this(events, bytes, Long.MAX_VALUE);
    }

    /** A copy with at most this many events. */
    public Limits within(int mostEvents) {
        return new Limits(Math.min(events, mostEvents), bytes, largest);
    }
}
