package dev.waybill.spi;

/**
 * How much one claim may bring.
 *
 * @param events at most so many
 * @param bytes at most so many bytes of all their fields together, but always at least one event
 * @param largest an event whose payload, headers or content type has more bytes than this need not be brought whole: see
 *     {@link StoredEvent#isWithheld}
 */
public record Limits(int events, long bytes, long largest) {
    public Limits {
        if (events < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "Limits of " + events + " events and " + bytes + " bytes: both must be at least 1.");
        }
        if (largest < 1) {
            throw new IllegalArgumentException("The largest event has " + largest + " bytes: use at least 1.");
        }
    }

    /** Events of any size. */
    public Limits(int events, long bytes) {
        this(events, bytes, Long.MAX_VALUE);
    }

    /** The same for at most so many events. */
    public Limits within(int mostEvents) {
        return new Limits(Math.min(events, mostEvents), bytes, largest);
    }
}
