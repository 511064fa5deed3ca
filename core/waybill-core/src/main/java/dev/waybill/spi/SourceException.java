package dev.waybill.spi;

/** A subscription failed at the broker; subscribe again. */
public final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SourceException(String message, Throwable cause) {
        super(message, cause);
    }
}
