package dev.waybill.inbox;

/**
 * Thrown by a handler when something it needs is away: a service it calls, say. The event is handled again until that is back;
 * nothing is counted against it, and handlers of other types go on.
 */
public class DependencyAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DependencyAwayException(String message) {
        super(message);
    }

    public DependencyAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
