package dev.waybill.spi;

/** The database is unavailable. Whether an interrupted transaction was committed is unknown. Try again later. */
public final class TransactionsUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TransactionsUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
