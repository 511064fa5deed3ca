package dev.waybill.table.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.Counts;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableRow;
import dev.waybill.table.rows.TableTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A replay in the side tables.
 *
 * @param at position up to which it is settled
 * @param upTo the highest value of its rows
 * @param readAll whether nothing is left to read
 * @param cancelledBy who cancelled it, if anyone did
 */
record TableReplayRow(ReplayStatus status, Place at, long upTo, boolean readAll, Optional<Actor> cancelledBy) {
    private static final String REPLAYS = """
            select q.name, q.created_from, q.created_until, q.event_type, q.aggregate_type, q.aggregate_id, q.who, q.why,
                   q.started_at, q.cancelled_by, q.cancelled_why, q.ended_at, r.owner, r.epoch, r.lease_until,
                   r.lease_until > {clock}, r.paused, q.at_value, q.at_id, q.at_created, q.up_to, q.read_all, q.total,
                   q.total_exact, q.sent, q.not_sent, q.not_sent_exact,
                   (select count(*) from {claim} c where c.outbox = r.outbox and c.state <> 'dead'),
                   (select count(*) from {claim} c where c.outbox = r.outbox and c.state = 'dead')
              from {replay} q join {relay} r on r.name = q.name
             where q.outbox = ? order by q.started_at, q.name""";

    /**
     * A position in the table.
     *
     * @param createdAt of the row there, in microseconds since 1970: retention may delete much older rows
     */
    record Place(TablePosition position, long createdAt) {
        static final Place START = new Place(TablePosition.START, TablePosition.START.value());

        static Place of(TableRow row) {
            return new Place(row.position(), TableTimes.micros(row.createdAt()));
        }
    }

    /** Whether a session would still read rows of the table. */
    boolean readsOn() {
        return !readAll
                && switch (status.state()) {
                    case OPEN, CANCELLING -> true;
                    case CANCELLED, THROUGH -> false;
                };
    }

    static Optional<TableReplayRow> find(TableConnection connection, RelayName name) throws SQLException {
        return all(connection).stream()
                .filter(replay -> replay.status().name().equals(name.value()))
                .findFirst();
    }

    static List<TableReplayRow> all(TableConnection connection) throws SQLException {
        return connection.query(
                REPLAYS, row -> read(connection, row), connection.layout().table());
    }

    private static TableReplayRow read(TableConnection connection, ResultSet row) throws SQLException {
        Optional<RelayStatus.Lease> lease = row.getBoolean(16) && row.getString(13) != null
                ? Optional.of(
                        new RelayStatus.Lease(row.getString(13), row.getLong(14), TableTimes.instant(row.getLong(15))))
                : Optional.empty();
        @Nullable String cancelledBy = row.getString(10);
        ReplayStatus status = new ReplayStatus(
                row.getString(1),
                query(row),
                State.of(cancelledBy != null, row.getObject(12) != null),
                Actor.recorded(row.getString(7), row.getString(8)),
                TableTimes.instant(row.getLong(9)),
                lease,
                row.getBoolean(17),
                counts(row));
        @Nullable String id = row.getString(19);
        TablePosition at = new TablePosition(row.getLong(18), id == null ? null : connection.id(id));
        return new TableReplayRow(
                status,
                new Place(at, row.getLong(20)),
                row.getLong(21),
                row.getBoolean(22),
                cancelledBy == null ? Optional.empty() : Optional.of(Actor.recorded(cancelledBy, row.getString(11))));
    }

    private static ReplayQuery query(ResultSet row) throws SQLException {
        return new ReplayQuery(
                time(row, 2),
                time(row, 3),
                Optional.ofNullable(row.getString(4)),
                Optional.ofNullable(row.getString(5)),
                Optional.ofNullable(row.getString(6)));
    }

    private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(TableTimes.instant(micros));
    }

    private static Counts counts(ResultSet row) throws SQLException {
        long sent = row.getLong(25);
        long parked = row.getLong(28);
        long dead = row.getLong(29);
        long left = row.getLong(26);
        if (row.wasNull()) {
            return Counts.of(new ReplaySize(row.getLong(23), row.getBoolean(24)), sent, parked, dead);
        }
        return new Counts(sent, new ReplaySize(left, row.getBoolean(27)), parked, dead);
    }
}
