package dev.waybill.embedded;

/** A server could not be started, stopped or removed. */
public final class EmbeddedServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedServerException(String message) {
        super(message);
    }

    EmbeddedServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
