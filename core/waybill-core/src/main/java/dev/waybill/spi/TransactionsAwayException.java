package dev.waybill.spi;

/** There can be no transactions now, or one was cut off and nobody knows whether it was kept. Try again later. */
public final class TransactionsAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TransactionsAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
