package dev.waybill.table;

import dev.waybill.jdbc.kernel.Snapshot;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the session sees each time it looks, besides rows.
 *
 * @param epoch of the relay's lease; nothing when the relay was dropped
 * @param changes how often a person has changed what waits
 * @param due whether a row's time for its retry has come
 * @param sideRows whether anything is in the side table at all
 * @param clock the database's, in microseconds since 1970
 * @param snapshot which transactions had ended, where the database tells
 * @param nextXid the next transaction's, or none above it has begun
 * @param lastSequence the last number given out, where the database tells
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

    static TablePoll take(TableConnection connection, String relay, Instant now, @Nullable String sequence)
            throws SQLException {
        return connection.one(
                connection.dialectSql().poll(),
                TablePoll::read,
                connection.outbox(),
                TableTimes.micros(now),
                connection.outbox(),
                sequence,
                relay,
                connection.outbox());
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
