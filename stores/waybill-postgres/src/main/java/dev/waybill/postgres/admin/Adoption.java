package dev.waybill.postgres.admin;

import dev.waybill.admin.Actor;
import dev.waybill.jdbc.kernel.SchemaLockSql;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalAudit;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalInspection;
import dev.waybill.postgres.journal.JournalOrigin;
import dev.waybill.postgres.journal.ServerIdentity;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Adopts a journal that was restored into another cluster, without rewriting the restored rows.
 *
 * <p>Restored positions and events contain xids of the other cluster. They stay as they are; instead, xids of this cluster are
 * written with an offset from now on, above every restored number. So all restored events are in the past of every snapshot
 * taken here, and a saved position still determines which of them the relay has not read. Only events that were appended here
 * before the adoption are given higher xids.
 */
record Adoption(JournalConnection connection, Actor by) {
    /** Events sampled to find the xid that a restore wrote them with. */
    private static final int SAMPLE = 10_000;

    /** The full xid that wrote row {@code %s}: rows store the lower 32 bits, and it is not above this transaction's. */
    private static final String WRITTEN_BY = "(w.now - ((w.now - %s.xmin::text::bigint) & 4294967295))";

    /**
     * The columns of {@link State}. Events that a relay had read were restored, and so were events of several transactions that
     * one transaction wrote.
     */
    private static final String STATE =
            """
            select w.added,
                   greatest(w.added,
                            (select e.xid::text::bigint from waybill.event e order by e.xid desc, e.seq desc limit 1),
                            (select max(o.value) from waybill.xid_offset o),
                            (select max(greatest(r.base_next::text::bigint, pg_snapshot_xmax(r.base)::text::bigint,
                                                 r.target_next::text::bigint, pg_snapshot_xmax(r.target)::text::bigint))
                               from waybill.relay r)),
                   greatest(
                       (select min(%1$s) from (
                            select i.xmin from waybill.identity i union all select v.xmin from waybill.schema_version v) x),
                       (select max(%1$s) from (
                            select e.xmin from waybill.event e where e.seq <= w.known order by e.seq desc limit %2$d) x),
                       (select max(%1$s) from (
                            select y.xmin from (select e.xmin::text as xmin, e.xid from waybill.event e where e.seq > w.known
                                                 order by e.seq limit %2$d) y
                             group by y.xmin having count(distinct y.xid::text) > 1) x)),
                   w.now, w.known
              from (select d.added, pg_current_xact_id()::text::bigint as now,
                           (select coalesce(max(greatest(r.base_floor, r.target_floor, r.high, r.seq)), 0)
                              from waybill.relay r) as known
                      from (%3$s) d) w""".formatted(WRITTEN_BY.formatted("x"), SAMPLE, JournalOrigin.ADDED_BY_DEFAULT);

    /**
     * Events that were appended here, after the restore and before the adoption. Such a row was written by its own xid, or by a
     * later one if in a subtransaction; a restored row was written by the xid of the restore.
     */
    private static final String MOVE_OWN_EVENTS = """
            update waybill.event e
               set xid = (e.xid::text::bigint - w.added + w.added_now)::text::xid8
              from (select ?::bigint as added, ?::bigint as added_now, ?::bigint as now, ?::bigint as known) w
             where e.xid > ?::xid8 and e.xid < ?::xid8 and e.seq > w.known
               and e.xid::text::bigint - w.added <= %s""".formatted(WRITTEN_BY.formatted("e"));

    /** Producers are blocked while this waits for the lock. */
    private static final String SHORT_LOCK_TIMEOUT = "set local lock_timeout = '3s'";

    /** First, as everywhere: a command on parked events changes the row of its relay, and then reads events for the audit. */
    private static final String LOCK_RELAYS = "lock table waybill.relay in share row exclusive mode";

    /** Waits for every transaction that has appended: afterwards all rows of the table are committed. */
    private static final String LOCK_EVENTS = "lock table waybill.event in access exclusive mode";

    private static final String SET_OFFSET = """
            insert into waybill.xid_offset (value, adopted_xid) values (?, ?)
            on conflict (only_row) do update set value = excluded.value, adopted_xid = excluded.adopted_xid""";

    /** The new epoch fences a session that still has an old position. */
    private static final String TAKE_RELAYS = """
            update waybill.relay set system_id = ?, epoch = nextval('waybill.epoch'), committed_window = null,
                   committed_seq = null""";

    /** Another cluster's windows. A position that a destination committed before names none of this one. */
    private static final String FORGET_WINDOWS = "delete from waybill.open_window";

    private static final String LIVE_RELAYS =
            "select string_agg(relay, ', ') from waybill.lease where lease_until > clock_timestamp()";

    private static final long XIDS_OF_AN_EPOCH = 1L << 32;

    /**
     * @param added what the default of the column xid adds so far
     * @param offset the new offset, above every number in the journal
     * @param restored the newest xid that is known to have restored something
     * @param now the xid of this transaction
     * @param known the highest seq in any position
     */
    private record State(long added, long offset, long restored, long now, long known) {}

    /** @return how many relays continue from their position */
    int adopt() throws SQLException {
        ServerIdentity identity = ServerIdentity.of(connection);
        return connection.withoutTimeout().inTransaction(() -> {
            requireForeign(identity);
            requireNotSubscribed();
            requireNoLiveRelay();
            lock();
            int moved = moveUp();
            int relays = connection.update(TAKE_RELAYS, identity.current());
            connection.update(FORGET_WINDOWS);
            if (identity.shown().isPresent()) {
                JournalInspection.record(connection, identity);
            }
            new JournalAudit(connection, by, "adopt", "")
                    .write("relays: " + relays + ", events appended before it: " + moved);
            return relays;
        });
    }

    /** Otherwise events of this cluster would be published a second time. */
    private void requireForeign(ServerIdentity identity) throws SQLException {
        if (!JournalOrigin.of(connection, "", identity).isForeign()) {
            throw new StoreException("Nothing in this journal comes from another cluster than " + identity.current()
                    + ": there is nothing to adopt. Nothing was changed.");
        }
    }

    /** A subscription would add events of the other cluster, whose xids may be above the offset. */
    private void requireNotSubscribed() throws SQLException {
        if (JournalInspection.hasSubscription(connection)) {
            throw new StoreException(
                    "waybill.event is still filled by logical replication. Stop the services that append"
                            + " at its source, wait until all events have arrived, drop the subscription, and adopt again. Nothing was"
                            + " changed.");
        }
    }

    private void requireNoLiveRelay() throws SQLException {
        Optional<String> running = connection.first(LIVE_RELAYS, row -> row.getString(1));
        if (running.isPresent()) {
            throw new StoreException("These relays are still running: " + running.get()
                    + ". Stop them, wait until their leases end, and adopt again. Nothing was changed.");
        }
    }

    private void lock() throws SQLException {
        connection.execute(SHORT_LOCK_TIMEOUT);
        try {
            connection.execute(LOCK_RELAYS);
            connection.execute(LOCK_EVENTS);
        } catch (SQLException e) {
            if (SchemaLockSql.LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw new StoreException(
                        "A transaction that uses waybill.event or waybill.relay is still open after 3 s. End it, or adopt again when it has"
                                + " ended. Nothing was changed.",
                        e);
            }
            throw e;
        }
    }

    /** @return how many events were moved */
    private int moveUp() throws SQLException {
        State state = connection.one(
                STATE,
                row -> new State(
                        row.getLong(1), roundUp(row.getLong(2)), row.getLong(3), row.getLong(4), row.getLong(5)));
        int moved = connection.update(
                MOVE_OWN_EVENTS,
                state.added(),
                state.offset(),
                state.now(),
                state.known(),
                SqlArgument.xid(state.restored() + state.added()),
                SqlArgument.xid(state.now() + state.added()));
        connection.update(SET_OFFSET, state.offset(), state.now());
        connection.execute(addToNewXids(state.offset()));
        return moved;
    }

    /** To a multiple of 2^32: PostgreSQL never assigns an xid whose lower 32 bits are all 0. */
    private static long roundUp(long xid) {
        return (xid + XIDS_OF_AN_EPOCH) / XIDS_OF_AN_EPOCH * XIDS_OF_AN_EPOCH;
    }

    private static String addToNewXids(long offset) {
        return "alter table waybill.event alter column xid set default ((pg_current_xact_id()::text::bigint + " + offset
                + ")::text::xid8)";
    }
}
