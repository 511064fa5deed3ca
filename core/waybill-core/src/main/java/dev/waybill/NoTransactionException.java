package dev.waybill;

/**
 * An outbox or inbox was used without a transaction: the connection is in autocommit, or the session has begun none. The
 * message says how to begin one. Nothing was written.
 */
public final class NoTransactionException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public NoTransactionException(String message) {
        super(message);
    }
}
