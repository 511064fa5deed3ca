package dev.waybill;

/** The event cannot be appended as it is; the message says why and what to do. Nothing was written. */
public final class InvalidEventException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidEventException(String message) {
        super(message);
    }

    public InvalidEventException(String message, Throwable cause) {
        super(message, cause);
    }
}
