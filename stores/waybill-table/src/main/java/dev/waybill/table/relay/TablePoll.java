package dev.waybill.table.relay;

import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.spi.support.StoreClock;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a session reads at each claim besides rows.
 *
 * @param epoch of the relay's lease; empty if the relay was dropped
 * @param changes number of requeues and discards by operators
 * @param due whether the retry of a row is due
 * @param sideRows whether the side table has any rows of this outbox
 * @param clock the database's time, in microseconds since 1970
 * @param snapshot which transactions have ended, if the database tells
 * @param nextXid no transaction has begun from this xid on
 * @param lastSequence the last number assigned, if the database tells
 */
record TablePoll(
        OptionalLong epoch,
        boolean paused,
        long changes,
        boolean due,
        boolean sideRows,
        long clock,
        Optional<Snapshot> snapshot,
        long nextXid,
        OptionalLong lastSequence,
        long backend,
        boolean unclean) {

    static TablePoll take(TableConnection connection, String relay, StoreClock clock, @Nullable String sequence)
            throws SQLException {
        TablePoll poll = connection.one(
                connection.relayDialect().poll(),
                TablePoll::read,
                connection.outbox(),
                TableTimes.micros(clock.instant()),
                connection.outbox(),
                sequence,
                relay,
                connection.outbox());
        clock.read(TableTimes.instant(poll.clock()));
        return poll;
    }

    private static TablePoll read(ResultSet row) throws SQLException {
        long epoch = row.getLong(1);
        OptionalLong held = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(epoch);
        Optional<Snapshot> snapshot = Optional.ofNullable(row.getString(7)).map(Snapshot::parse);
        long last = row.getLong(9);
        OptionalLong lastSequence = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(last);
        return new TablePoll(
                held,
                row.getBoolean(2),
                row.getLong(3),
                row.getBoolean(4),
                row.getBoolean(5),
                row.getLong(6),
                snapshot,
                snapshot.map(Snapshot::xmax).orElse(0L) + row.getLong(8),
                lastSequence,
                row.getLong(10),
                row.getBoolean(11));
    }
}
