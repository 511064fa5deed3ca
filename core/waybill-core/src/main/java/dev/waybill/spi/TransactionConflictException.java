package dev.waybill.spi;

/** A transaction could not go beside another one and was rolled back. That is nobody's failure: try again. */
public final class TransactionConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TransactionConflictException(String message) {
        super(message);
    }

    public TransactionConflictException(String message, Throwable cause) {
        super(message, cause);
    }
}
