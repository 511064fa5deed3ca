package dev.waybill.spi;

/** The store must not be read as it is: going on could lose or reorder events. The message has the remedy. */
public final class StoreRefusedException extends StoreException {
    private static final long serialVersionUID = 1L;

    public StoreRefusedException(String message) {
        super(message);
    }
}
