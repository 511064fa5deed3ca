package dev.waybill.postgres;

import dev.waybill.postgres.JournalPosition.Point;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the last seq that was given out. A sequence that this role may not read, or that was set back, would make every window
 * look empty: it is refused.
 */
final class SequenceGuard {
    /** So many are looked at by one statement, which must end in time also when a relay was away for long. */
    private static final long XIDS_A_LOOK = 1_000_000;

    private static final Logger log = LoggerFactory.getLogger(SequenceGuard.class);
    private static final String STATEMENT_TIMEOUT = "57014";

    private final JournalConnection connection;
    private final RelayName relay;
    private long last;

    SequenceGuard(JournalConnection connection, RelayName relay) throws SQLException {
        this.connection = connection;
        this.relay = relay;
        try (ResultSet row =
                connection.prepare(PostgresServerSql.SEQUENCE_STANDS_AT).executeQuery()) {
            row.next();
            last = readable(row.getLong(1));
            requireReached(row.getLong(2));
        }
    }

    /** The last value that was read. */
    long last() {
        return last;
    }

    void moveTo(long value) throws SQLException {
        long before = last;
        last = readable(value);
        requireReached(before);
    }

    void requireReached(JournalPosition position) {
        requireReached(position.highestSeq());
    }

    private void requireReached(long known) {
        if (last < known) {
            throw setBack("its sequence waybill.event_seq_seq stands at " + last + ", but seq " + known
                    + " was given out before");
        }
    }

    /**
     * No transaction that began after the base may have a seq up to its floor: a sequence that was set back and has passed the
     * floor again shows nothing else. The index tells it, without a look at the events. A window so large that even this takes
     * longer than a statement may is read all the same.
     */
    void requireAbove(Point base, Point target) throws SQLException {
        try {
            if (base.floor() > 0) {
                requireNothingGivenOutAgain(base, target);
            }
        } catch (SQLException e) {
            if (!STATEMENT_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            log.warn(
                    "Relay {}: the window is too large to look whether the sequence of waybill.event was set back; it is taken"
                            + " for sound.",
                    relay);
        }
    }

    private void requireNothingGivenOutAgain(Point base, Point target) throws SQLException {
        long end = target.snapshot().xmax();
        for (long from = base.next(); from < end; from += XIDS_A_LOOK) {
            PreparedStatement statement = connection.prepare(PostgresServerSql.GIVEN_OUT_AGAIN);
            statement.setObject(1, Long.toString(from), Types.OTHER);
            statement.setObject(2, Long.toString(Math.min(end, from + XIDS_A_LOOK)), Types.OTHER);
            statement.setLong(3, base.floor());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    throw setBack("its sequence waybill.event_seq_seq gave out seq " + row.getLong(1)
                            + " again, though seq " + base.floor() + " was given out before");
                }
            }
        }
    }

    private StoreException setBack(String sign) {
        return JournalGate.refuse(
                relay,
                sign
                        + " (TRUNCATE … RESTART IDENTITY, a lower setval, or a restore without the sequence): events with low"
                        + " seqs would be skipped",
                "Stop every relay of this journal, then run `" + PostgresServerSql.SET_FORWARD + "`, `"
                        + PostgresServerSql.FORGET_PARKED + "` and `"
                        + PostgresServerSql.FORGET_FLOORS + "`.");
    }

    private long readable(long value) throws SQLException {
        if (value == PostgresJournalSql.NOT_READABLE) {
            throw notReadable();
        }
        return value;
    }

    private StoreException notReadable() throws SQLException {
        try (ResultSet row = connection.prepare(PostgresServerSql.ROLE).executeQuery()) {
            row.next();
            return JournalGate.refuse(
                    relay,
                    "this role may not read the sequence waybill.event_seq_seq, and without it every event would be"
                            + " missed",
                    "Run `grant select on sequence waybill.event_seq_seq to " + row.getString(1) + "`.");
        }
    }
}
