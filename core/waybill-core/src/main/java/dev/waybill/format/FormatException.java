package dev.waybill.format;

/** The event can never take the form asked for; the message says why and what to do. */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FormatException(String message) {
        super(message);
    }
}
