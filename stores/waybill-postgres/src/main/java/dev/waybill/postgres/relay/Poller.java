package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.postgres.journal.Durability;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.StoreRefusedException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes snapshots for a relay, together with the state of its row and its parked events. */
final class Poller {
    /**
     * The position at which the next WAL record begins, without the header of a page that is not started yet (24 bytes, 40 in
     * the first page of a segment). That header is flushed only with the next record, which may not come for a long time.
     */
    private static final String END_OF_WAL = """
            wal.begin - case when wal.begin % pg_size_bytes(current_setting('wal_segment_size')) = 40 then 40
                             when wal.begin % current_setting('wal_block_size')::int = 24 then 24 else 0 end""";

    /**
     * The snapshot is taken when the statement begins, so last_value and the age (the distance to the next xid to be assigned)
     * are read after it. Functions of the WAL are called only by relays that wait for it, because hosted servers may refuse
     * them.
     */
    private static final String POLL = """
            select pg_current_snapshot()::text,
                   age(pg_snapshot_xmax(pg_current_snapshot())::xid),
                   %s,
                   pg_backend_pid(),
                   pg_current_xact_id_if_assigned() is not null or pg_is_in_recovery()
                       or current_setting('transaction_isolation') <> 'read committed',
                   r.epoch,
                   r.paused,
                   due.at <= ?,
                   case when r.parked_changes = ? then ?
                        else exists (select from waybill.parked p where p.relay = r.name and p.state = 'dead' and p.holds) end,
                   wal.written,
                   wal.safe,
                   due.at,
                   r.parked_changes,
                   (select o.value from waybill.xid_offset o where o.only_row),
                   clock_timestamp()
              from (%s) wal
              left join waybill.relay r on r.name = ?
              left join lateral (
                select p.next_attempt_at as at from waybill.parked p
                 where p.relay = r.name and p.state = 'due'
                   and p.next_attempt_at >= case when r.parked_changes = ? then ?::timestamptz else '-infinity' end
                 order by p.next_attempt_at limit 1) due on true""";

    private static final String NO_WAL = "select 0::bigint as written, 0::bigint as safe";

    /** The parameter is an array of names: the least that each of them has flushed, or without names the most that any has. */
    private static final String REPLICATED = """
            (select case when cardinality(n.names) = 0
                         then coalesce((select max(s.flush_lsn) from %1$s s), '0/0')
                         else (select min(coalesce((select max(s.flush_lsn) from %1$s s
                                                     where s.application_name = x.name), '0/0'))
                                 from unnest(n.names) x(name)) end
               from (select ?::text[] as names) n)""".formatted(Durability.STANDBYS);

    private static final Logger log = LoggerFactory.getLogger(Poller.class);

    private final JournalConnection connection;
    private final RelayName relay;
    private final long epoch;
    private final Durability durability;
    private final String statement;
    /** Its last value was read by an earlier statement: the floor of the next snapshot. */
    private final SequenceGuard sequence;

    private boolean warnedOfStandbys;

    /**
     * What a poll found.
     *
     * @param due whether a parked event is due
     * @param parked whether a parked event closes a key
     * @param written the WAL position that the snapshot's commits lie before
     * @param now the time of the database
     * @param safe the WAL position up to which commits are as safe as {@link Durability} requires
     */
    record Poll(
            Point point,
            long lastSeq,
            boolean paused,
            boolean due,
            boolean parked,
            Instant now,
            long written,
            long safe) {}

    Poller(JournalConnection connection, RelayName relay, long epoch, Durability durability) throws SQLException {
        this.connection = connection;
        this.relay = relay;
        this.epoch = epoch;
        this.durability = durability;
        this.statement = statement(durability);
        this.sequence = new SequenceGuard(connection, relay);
    }

    /** If standbys are named or required, their names are the fourth parameter. */
    static String statement(Durability durability) {
        if (durability.standbys().isPresent()) {
            return POLL.formatted(SequenceGuard.LAST_VALUE, wal(REPLICATED));
        }
        return POLL.formatted(
                SequenceGuard.LAST_VALUE, durability.onDisk() ? wal("pg_current_wal_flush_lsn()") : NO_WAL);
    }

    private static String wal(String safe) {
        return """
            select %s as written, (%s - '0/0')::bigint as safe
              from (select (pg_current_wal_insert_lsn() - '0/0')::bigint as begin) wal""".formatted(END_OF_WAL, safe);
    }

    RelayName relay() {
        return relay;
    }

    long epoch() {
        return epoch;
    }

    SequenceGuard sequence() {
        return sequence;
    }

    /** @param floor where to search for due parked events; updated with the result */
    Poll poll(Instant now, DueFloor floor) throws SQLException {
        floor.forgetIfOld(now);
        PreparedStatement poll = connection.prepare(statement);
        int at = 1;
        poll.setTimestamp(at++, Timestamp.from(now));
        poll.setLong(at++, floor.changes());
        poll.setBoolean(at++, floor.holding());
        if (durability.standbys().isPresent()) {
            poll.setArray(
                    at++, connection.array("text", durability.standbys().get().toArray()));
        }
        poll.setString(at++, relay.value());
        poll.setLong(at++, floor.changes());
        poll.setString(at, floor.text());
        try (ResultSet row = poll.executeQuery()) {
            row.next();
            connection.requireSameBackend(row.getInt(4));
            if (row.getBoolean(5)) {
                throw new StoreRefusedException(
                        "Relay " + relay + ": the journal's connection does not give clean snapshots"
                                + " (an xid is assigned, the isolation is not READ COMMITTED, or the server is in recovery)."
                                + " Give Waybill a DataSource of its own to the primary server, without session settings.");
            }
            if (row.getLong(6) != epoch) {
                throw new LeaseLostException(relay, epoch);
            }
            Snapshot snapshot = Snapshot.parse(row.getString(1)).plus(row.getLong(14));
            Point point = new Point(snapshot, snapshot.xmax() + row.getInt(2), sequence.last());
            sequence.moveTo(row.getLong(3));
            warnOfStandbys(row.getLong(11));
            @Nullable OffsetDateTime firstDue = row.getObject(12, OffsetDateTime.class);
            boolean holding = row.getBoolean(9);
            floor.seen(instant(firstDue), holding, row.getLong(13));
            return new Poll(
                    point,
                    sequence.last(),
                    row.getBoolean(7),
                    row.getBoolean(8),
                    holding || firstDue != null,
                    row.getTimestamp(15).toInstant(),
                    row.getLong(10),
                    row.getLong(11));
        }
    }

    /** The driver returns OffsetDateTime.MIN for -infinity. */
    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        if (time == null) {
            return null;
        }
        return time.equals(OffsetDateTime.MIN) ? Instant.MIN : time.toInstant();
    }

    /** Warns once per outage. */
    private void warnOfStandbys(long safe) {
        boolean missing = durability.standbys().isPresent() && safe == 0;
        if (missing && !warnedOfStandbys) {
            String which = durability.standbys().get().isEmpty()
                    ? "no standby is"
                    : "not every standby of " + durability.standbys().get() + " is";
            log.warn(
                    "Relay {}: {} connected to this server. Nothing is published until the commits are there.",
                    relay,
                    which);
        }
        warnedOfStandbys = missing;
    }
}
