package dev.waybill.relay;

/** The destination neither answered nor called back what was out: the session ends without it. */
final class StalledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StalledException(String message) {
        super(message);
    }
}
