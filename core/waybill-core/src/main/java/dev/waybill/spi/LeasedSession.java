package dev.waybill.spi;

/** One epoch of a relay's lease. */
public interface LeasedSession extends AutoCloseable {
    /** Increases with every session of the relay. */
    long epoch();

    /**
     * Extends the lease. May be called concurrently with all other methods of the session.
     *
     * @return false if the lease is lost
     */
    boolean renew();

    /** Saves the position and releases the lease. Never throws. */
    @Override
    void close();
}
