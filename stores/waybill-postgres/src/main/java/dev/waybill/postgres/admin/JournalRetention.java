package dev.waybill.postgres.admin;

import dev.waybill.admin.Actor;
import dev.waybill.admin.PurgeStep;
import dev.waybill.postgres.journal.JournalAudit;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalOrigin;
import dev.waybill.postgres.journal.JournalSql;
import dev.waybill.postgres.journal.ServerIdentity;
import dev.waybill.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;

/** Deletes events that every relay has finished with, in steps. */
final class JournalRetention {
    /** Whether replay {@code q}, with its row {@code r} in waybill.relay, has yet to send event {@code e}. */
    private static final String STILL_TO_SEND = """
            (q.ended_at is null and r.target is not null and e.seq > greatest(r.base_floor, r.seq) and e.seq <= r.high
                 and pg_visible_in_snapshot(e.xid, r.target) and %s)""".formatted(JournalSql.REPLAY_MATCHES);

    /**
     * One step along the primary key. Positions, parked events and the deletion share one snapshot: an event that is being parked
     * is either after its relay's position, or already parked.
     */
    private static final String PURGE = """
            with candidate as materialized (
                select e.seq, e.created_at < clock_timestamp() - ? * interval '1 millisecond'
                       and exists (select from waybill.relay r
                                    where not exists (select from waybill.replay q where q.relay = r.name))
                       and not exists (select from waybill.relay r left join waybill.replay q on q.relay = r.name
                                        where case when q.relay is null then not pg_visible_in_snapshot(e.xid, r.base)
                                                   else %s end) as over
                  from waybill.event e where e.seq > ? order by e.seq limit ?),
            deleted as (
                delete from waybill.event e using candidate c
                 where e.seq = c.seq and c.over
                   and not exists (select from waybill.relay r join waybill.parked p on p.relay = r.name and p.seq = c.seq)
                returning e.seq),
            forgotten as (delete from waybill.discarded d using deleted x where d.seq = x.seq)
            select (select count(*) from deleted), count(*), max(c.seq), bool_and(c.over) from candidate c""".formatted(STILL_TO_SEND);

    private static final String PURGE_LOG =
            "delete from waybill.window_log where logged_at < clock_timestamp() - ? * interval '1 millisecond'";

    /** Events read in one transaction when an operator purges. */
    private static final int STEP = 5_000;

    private final JournalConnection connection;
    private final Duration olderThan;
    /** Where the next step begins: the events before it were examined and must stay. */
    private long upTo;

    JournalRetention(JournalConnection connection, Duration olderThan, long upTo) {
        this.connection = connection;
        this.olderThan = olderThan;
        this.upTo = upTo;
    }

    long upTo() {
        return upTo;
    }

    PurgeStep step(int atMost) throws SQLException {
        return connection.inTransaction(() -> delete(atMost));
    }

    private PurgeStep delete(int atMost) throws SQLException {
        requireOwn();
        connection.update(PURGE_LOG, olderThan.toMillis());
        return connection.one(
                PURGE,
                row -> {
                    boolean more = row.getInt(2) == atMost && row.getBoolean(4);
                    upTo = more ? row.getLong(3) : 0;
                    return new PurgeStep(row.getInt(1), more);
                },
                olderThan.toMillis(),
                upTo,
                atMost);
    }

    /** In a journal from another cluster it is not known what was published. */
    private void requireOwn() throws SQLException {
        ServerIdentity identity = ServerIdentity.of(connection);
        if (JournalOrigin.of(connection, "", identity).isForeign()) {
            throw new StoreException(
                    "This journal comes from another cluster than " + identity.current()
                            + ": it is not known what was published, so nothing is deleted until it is adopted (`waybill adopt`).");
        }
    }

    long all(Actor by) throws SQLException {
        JournalAudit audit = new JournalAudit(connection, by, "purge", "");
        return connection.purgeAll(olderThan, () -> delete(STEP), audit::write);
    }
}
