package dev.waybill.relay;

/** The destination did not answer its messages in flight, even after an abort. Ends the session. */
final class StalledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StalledException(String message) {
        super(message);
    }
}
