package dev.waybill.spi;

/** The transaction was rolled back because of a conflict with another one. It is safe to retry. */
public final class TransactionConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TransactionConflictException(String message) {
        super(message);
    }

    public TransactionConflictException(String message, Throwable cause) {
        super(message, cause);
    }
}
