package dev.waybill.format;

/** The message does not have the expected format. It can never be handled and becomes a dead letter. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
