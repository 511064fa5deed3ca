package dev.waybill.jdbc.kernel;

import dev.waybill.RelayName;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;

/**
 * Runs the steps of one session. After a step has thrown anything, also an Error, no other step runs, because the session's state
 * in memory may differ from the database.
 */
public final class SessionSteps {
    private final RelayName relay;
    private final long epoch;
    private final Wording wording;
    /** Set by the threads that work with the session, read by the one that renews its lease. */
    private volatile boolean failed;

    /** Converts a database error to an exception. */
    public interface Wording {
        StoreException failed(String what, SQLException e);
    }

    public SessionSteps(RelayName relay, long epoch, Wording wording) {
        this.relay = relay;
        this.epoch = epoch;
        this.wording = wording;
    }

    public boolean failed() {
        return failed;
    }

    /** @param what the action, for the error message */
    public <R> R run(String what, SqlWork<R> work) {
        if (failed) {
            throw new StoreException("Relay " + relay + ": the session of epoch " + epoch
                    + " has failed and cannot be used. Close it and open another.");
        }
        boolean done = false;
        try {
            R result = work.run();
            done = true;
            return result;
        } catch (SQLException e) {
            throw wording.failed("relay " + relay + " was " + what, e);
        } finally {
            if (!done) {
                failed = true;
            }
        }
    }
}
