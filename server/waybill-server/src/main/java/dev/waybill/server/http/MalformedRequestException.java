package dev.waybill.server.http;

/** A request that cannot be served in this form. */
public final class MalformedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String status;

    /**
     * @param status code and phrase
     * @param message for the client
     */
    MalformedRequestException(String status, String message) {
        super(message);
        this.status = status;
    }

    Answer answer() {
        return Answer.line(status, String.valueOf(getMessage()));
    }
}
