package dev.waybill.spi;

import dev.waybill.RelayName;

/** Another session has taken over the relay; the store accepts nothing more from this session. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * The lease was not renewed in time; the next session publishes again what this one did not save.
     *
     * @param why as in "a suspended process"
     */
    public static LeaseLostException notRenewed(RelayName relay, long epoch, String why) {
        return new LeaseLostException("Relay " + relay + ": the lease of epoch " + epoch
                + " was not renewed in time (" + why
                + "); events that this session did not save will be published again. If this"
                + " recurs, use a longer lease.");
    }

    private LeaseLostException(String message) {
        super(message);
    }

    public LeaseLostException(RelayName relay, long epoch) {
        super("Relay " + relay + ": the lease of epoch " + epoch
                + " was taken over by a newer session, which publishes again the events that this one did not save.");
    }
}
