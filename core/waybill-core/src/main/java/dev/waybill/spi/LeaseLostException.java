package dev.waybill.spi;

import dev.waybill.RelayName;

/** Another session has taken the relay over; nothing this session says counts any more. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The lease was not renewed in time: whoever holds the next one publishes what this session did not save. */
    public static LeaseLostException notRenewed(RelayName relay, long epoch) {
        return new LeaseLostException("Relay " + relay + ": the lease of epoch " + epoch
                + " was not renewed in time (a slow database or network, or a process that stood still); what this session did"
                + " not save will be published again. If it goes on, lengthen the lease.");
    }

    private LeaseLostException(String message) {
        super(message);
    }

    public LeaseLostException(RelayName relay, long epoch) {
        super("Relay " + relay + ": the lease of epoch " + epoch
                + " is lost to a newer session; what this one did not save will be published again by that one.");
    }
}
