package dev.waybill.spi;

/**
 * How much one claim may bring.
 *
 * @param events at most so many
 * @param bytes at most so many bytes of payload, but always at least one event
 */
public record Limits(int events, long bytes) {
    public Limits {
        if (events < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "Limits of " + events + " events and " + bytes + " bytes: both must be at least 1.");
        }
    }
}
