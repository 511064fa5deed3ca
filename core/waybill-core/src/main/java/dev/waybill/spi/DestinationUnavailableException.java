package dev.waybill.spi;

/** A destination cannot be used now. The message says why and what to do. */
public final class DestinationUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DestinationUnavailableException(String message) {
        super(message);
    }

    public DestinationUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
