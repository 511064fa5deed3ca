package dev.waybill.inbox;

/**
 * Thrown by a handler when a dependency is unavailable, such as a service it calls. The event is retried until it is available
 * again; no attempt is counted, and events of other types are handled meanwhile.
 */
public class DependencyUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DependencyUnavailableException(String message) {
        super(message);
    }

    public DependencyUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
