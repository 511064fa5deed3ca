package dev.waybill.spi;

/** Another session has taken the relay over; nothing this session says counts any more. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LeaseLostException(RelayName relay, long epoch) {
        super("Relay " + relay + ": the lease of epoch " + epoch
                + " is lost to a newer session; what this one did not save will be published again by that one.");
    }
}
