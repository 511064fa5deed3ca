package dev.waybill.spi;

/** The store must not be read in its present state, because events could be lost or reordered. The message names the remedy. */
public class StoreRefusedException extends StoreException {
    private static final long serialVersionUID = 1L;

    public StoreRefusedException(String message) {
        super(message);
    }
}
