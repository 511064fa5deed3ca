package dev.waybill.inbox;

/** Thrown by a handler when a retry cannot succeed: the event goes to the dead letters at once. */
public class PermanentFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PermanentFailureException(String message) {
        super(message);
    }

    public PermanentFailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
