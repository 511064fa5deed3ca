package dev.waybill.table.admin;

import dev.waybill.RelayName;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.table.rows.RelayDialect;
import dev.waybill.table.rows.SideState;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.TableTimes;
import dev.waybill.table.rows.ThinRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The status of a table's relay. Pending rows are read only up to the counting limit; rows behind a waiting one are counted as
 * far as they are among these.
 */
final class TableStatus {
    static final String RELAY = """
            select name, owner, epoch, lease_until, lease_until > {clock}, paused, {clock} from {relay} where outbox = ?""";

    private static final String COUNT_PENDING = """
            select count(*), min(x.created) from (
                select {created_at} as created from {table} where {is_pending} order by {order} limit ?) x""";

    /** Without rows that are dead in the side table only. */
    private static final String COUNT_FRESH = """
            select count(*), min(t.created) from (
                select {id}, {created_at} as created from {table} where {is_pending} order by {order} limit ?) t
             where not exists (select 1 from {claim} c where concat(c.outbox, '') = ? and c.state = 'dead' and c.row_id = {id_text}{row_by_row})""";

    private static final String COUNT_DEAD = """
            select count(*) from (select {id} from {table} where {is_dead} limit ?) x""";

    private static final String COUNT_SIDE = """
            select count(*) from (select row_id from {claim} where outbox = ? and state = ? limit ?) x""";

    /** Dead rows that their table still has as pending: {@code SideRow.refused}. */
    private static final String COUNT_REFUSED = """
            select count(*) from (
                select row_id from {claim} where outbox = ? and state = 'dead' and next_attempt_at is not null limit ?) x""";

    /** Retries that are read at once to find the oldest: side rows may be left of rows that somebody has marked published. */
    private static final int RETRIES = 100;

    private final TableConnection connection;

    /** Running counts over pending rows. */
    private static final class Counts {
        private long read;
        private long backlog;
        private boolean exact = true;
        private long parked;
        private long dead;
        private @Nullable Instant oldestPending;
        private @Nullable Instant oldestParked;

        private void parked(ThinRow row) {
            if (hasAge(row) && (oldestParked == null || row.createdAt().isBefore(oldestParked))) {
                oldestParked = row.createdAt();
            }
        }

        private void pending(ThinRow row) {
            if (hasAge(row) && oldestPending == null) {
                oldestPending = row.createdAt();
            }
        }

        /** Without a creation time, the age of a row is unknown. */
        private static boolean hasAge(ThinRow row) {
            return !row.createdAt().equals(Instant.EPOCH);
        }
    }

    TableStatus(TableConnection connection) {
        this.connection = connection;
    }

    boolean isRelay(RelayName relay) throws SQLException {
        return connection
                .first(RELAY, row -> row.getString(1), connection.outbox())
                .filter(relay.value()::equals)
                .isPresent();
    }

    List<RelayStatus> relays() throws SQLException {
        Counts counts = count();
        return connection.query(RELAY, row -> status(row, counts), connection.outbox());
    }

    private RelayStatus status(ResultSet row, Counts counts) throws SQLException {
        Instant until = TableTimes.instant(row.getLong(4));
        Instant now = TableTimes.instant(row.getLong(7));
        Optional<RelayStatus.Lease> lease = row.getBoolean(5) && row.getString(2) != null
                ? Optional.of(new RelayStatus.Lease(row.getString(2), row.getLong(3), until))
                : Optional.empty();
        Optional<Duration> unattended =
                lease.isPresent() || until.equals(Instant.EPOCH) ? Optional.empty() : Optional.of(since(until, now));
        return new RelayStatus(
                row.getString(1),
                lease,
                row.getBoolean(6),
                counts.backlog,
                counts.exact,
                Optional.ofNullable(counts.oldestPending).map(created -> since(created, now)),
                Optional.ofNullable(counts.oldestParked).map(created -> since(created, now)),
                counts.parked,
                counts.dead,
                OptionalDouble.empty(),
                unattended,
                new ColumnsCheckup(connection).hidden(RelayStatus.COUNTED + 1),
                Optional.empty());
    }

    private static Duration since(Instant then, Instant now) {
        return then.isBefore(now) ? Duration.between(then, now) : Duration.ZERO;
    }

    private Counts count() throws SQLException {
        Counts counts = new Counts();
        boolean hasDeadState = TableText.hasDeadState(connection.layout());
        long deadAmongPending = hasDeadState ? refusedRows() : sideRows(SideState.DEAD);
        counts.dead = deadAmongPending + (hasDeadState ? deadRows() : 0);
        counts.parked = sideRows(SideState.RETRY);
        if (counts.parked > 0) {
            new TableParked(connection)
                    .page(Optional.of(ParkedState.DUE), Optional.empty(), RETRIES)
                    .forEach(retry -> counts.parked(retry.row()));
        }
        long amongPending = counts.parked + deadAmongPending;
        if (new TableParked(connection).anyBlocker()) {
            scan(counts, RelayStatus.COUNTED + amongPending);
        } else if (amongPending > 0) {
            countFresh(counts, (int) amongPending);
        } else {
            countBacklog(counts, COUNT_PENDING, RelayStatus.COUNTED + 1);
        }
        if (counts.backlog > RelayStatus.COUNTED || !counts.exact) {
            counts.exact = false;
            counts.backlog = Math.max(counts.backlog, estimate() - amongPending);
        }
        return counts;
    }

    /** @param dead how many of the counted pending rows are dead */
    private void countFresh(Counts counts, int dead) throws SQLException {
        countBacklog(counts, COUNT_FRESH, RelayStatus.COUNTED + 1 + dead, connection.outbox());
        counts.exact = dead <= RelayStatus.COUNTED;
    }

    private void countBacklog(Counts counts, String text, Object... arguments) throws SQLException {
        connection.each(
                text,
                row -> {
                    counts.backlog = row.getLong(1);
                    counts.oldestPending = connection.times().read(row, 2);
                },
                arguments);
    }

    private void scan(Counts counts, long atMost) throws SQLException {
        new TableParked(connection).scan(TablePosition.START, (row, state, side) -> {
            switch (state) {
                case WAITING -> {
                    counts.parked++;
                    counts.parked(row);
                }
                case FRESH -> {
                    counts.backlog++;
                    counts.pending(row);
                }
                case RETRY, HELD_RETRY, DEAD -> {}
            }
            counts.exact = counts.read++ < atMost;
            return counts.exact;
        });
    }

    /** The database's estimate of pending rows. */
    private long estimate() throws SQLException {
        RelayDialect database = connection.relayDialect();
        return connection.first(database.estimatePending(), database::estimated).orElse(0L);
    }

    private long deadRows() throws SQLException {
        return connection.one(COUNT_DEAD, row -> row.getLong(1), RelayStatus.COUNTED + 1);
    }

    private long refusedRows() throws SQLException {
        return connection.one(COUNT_REFUSED, row -> row.getLong(1), connection.outbox(), RelayStatus.COUNTED + 1);
    }

    private long sideRows(SideState state) throws SQLException {
        return connection.one(
                COUNT_SIDE, row -> row.getLong(1), connection.outbox(), state.column(), RelayStatus.COUNTED + 1);
    }
}
