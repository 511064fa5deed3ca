package dev.waybill;

/**
 * The outbox could not write the events. The caller's transaction must be rolled back: its data and its events belong
 * together.
 */
public class AppendException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AppendException(String message) {
        super(message);
    }

    public AppendException(String message, Throwable cause) {
        super(message, cause);
    }
}
