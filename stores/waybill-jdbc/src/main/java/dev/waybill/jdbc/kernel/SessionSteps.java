package dev.waybill.jdbc.kernel;

import dev.waybill.RelayName;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;

/**
 * Runs the steps of one session. Whatever a step throws, an Error too, no other step follows: what the session remembers may not
 * be what is written.
 */
public final class SessionSteps {
    private final RelayName relay;
    private final long epoch;
    private final Wording wording;
    /** Set by the thread that works with the session, read by the one that renews its lease. */
    private volatile boolean failed;

    /** Makes an exception of a database's error. */
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

    /** @param what is being done, for the error */
    public <R> R run(String what, SqlWork<R> work) {
        if (failed) {
            throw new StoreException("Relay " + relay + ": the session of epoch " + epoch
                    + " failed before and does nothing any more. Close it and open another.");
        }
        boolean done = false;
        try {
            R result = work.run();
            done = true;
            return result;
        } catch (SQLException e) {
            throw wording.failed("relay " + relay + " was " + what, e);
        } finally {
            failed = !done;
        }
    }
}
