package dev.waybill.format;

/** The event cannot be sent in the relay's format; the message says why and what to do. */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FormatException(String message) {
        super(message);
    }
}
