package dev.waybill.format;

/** The message is not what it was said to be: it can never be handled, and goes to the dead letters as it is. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
