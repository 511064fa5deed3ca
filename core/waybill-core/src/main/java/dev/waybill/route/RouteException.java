package dev.waybill.route;

/** The event has no topic; the message says why and what to do. */
public final class RouteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RouteException(String message) {
        super(message);
    }
}
