package dev.waybill.postgres.relay;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds back the snapshots of a session until their commits are as safe as the durability requires. */
final class SafeSnapshots {
    private final Flush flush;
    /** A snapshot whose commits are not safe yet. */
    private Poller.@Nullable Poll unflushed;

    /** The first snapshot of the session, until its commits are safe. */
    private Poller.@Nullable Poll first;

    private boolean begun;

    /** How many polls found the snapshot not safe yet. */
    private int waits;
    /** Whether the session has made the server flush its WAL while it waits. */
    private boolean flushed;

    /** Makes the server flush its WAL. */
    interface Flush {
        /** @return false if the last one is too recent */
        boolean now() throws SQLException;
    }

    SafeSnapshots(Flush flush) {
        this.flush = flush;
    }

    /** What an earlier session parked or was reading may not be safe yet: all of it is before the first snapshot. */
    boolean mayBegin(Poller.Poll poll) throws SQLException {
        if (begun) {
            return true;
        }
        first = first == null ? poll : first;
        begun = isSafe(first, poll);
        return begun;
    }

    /** The snapshot to read up to; empty until it is safe. */
    Optional<Poller.Poll> target(Poller.Poll poll) throws SQLException {
        Poller.Poll target = unflushed == null ? poll : unflushed;
        boolean safe = isSafe(target, poll);
        unflushed = safe ? null : target;
        return safe ? Optional.of(target) : Optional.empty();
    }

    /**
     * An open transaction may have written WAL since the last commit, which an idle server does not flush for seconds. A commit
     * of the session itself flushes it; one is enough for each snapshot.
     */
    private boolean isSafe(Poller.Poll target, Poller.Poll poll) throws SQLException {
        if (poll.safe() >= target.written()) {
            waits = 0;
            flushed = false;
            return true;
        }
        waits++;
        if (waits >= 2 && !flushed) {
            flushed = flush.now();
        }
        return false;
    }
}
