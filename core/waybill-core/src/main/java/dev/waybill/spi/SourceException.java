package dev.waybill.spi;

/** The broker failed a subscription; subscribe anew to go on. */
public final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SourceException(String message, Throwable cause) {
        super(message, cause);
    }
}
