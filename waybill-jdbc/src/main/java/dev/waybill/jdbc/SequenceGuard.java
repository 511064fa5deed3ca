package dev.waybill.jdbc;

import dev.waybill.spi.RelayName;
import dev.waybill.spi.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Watches the last seq that was given out. A sequence that this role may not read, or that was set back, would make every window
 * look empty: it is refused.
 */
final class SequenceGuard {
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
            throw JournalGate.refuse(
                    relay,
                    "its sequence waybill.event_seq_seq stands at " + last + ", but seq " + known
                            + " was given out before (TRUNCATE … RESTART IDENTITY, a lower setval, or a restore without"
                            + " the sequence): events with low seqs would be skipped",
                    "Stop every relay of this journal, then run `" + PostgresServerSql.SET_FORWARD + "` and `"
                            + PostgresServerSql.FORGET_FLOORS + "`.");
        }
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
