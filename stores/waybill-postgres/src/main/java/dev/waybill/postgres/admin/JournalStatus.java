package dev.waybill.postgres.admin;

import dev.waybill.admin.RelayStatus;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads the status of a journal's relays. */
final class JournalStatus {
    /**
     * Events below a relay's position of transactions that were in progress at its base or its target. The index may have
     * millions of entries of those that still are or were rolled back. A position from another cluster may contain xids that
     * this one has not assigned. With {@code =} instead of {@code between}, the order by seq alone would be enough, and in a journal of
     * few large transactions the planner would read all events up to the position.
     */
    private static final String LATE = """
            (select l.seq, l.created_at
               from (select x.xid from (
                        select pg_snapshot_xip(p.snapshot) from (values (r.base), (r.target)) p(snapshot)
                        union
                        select n::text::xid8 from (values (r.base, r.base_next), (r.target, r.target_next)) p(snapshot, next)
                         cross join lateral (select pg_snapshot_xmax(p.snapshot)::text::bigint as xmax) s
                         cross join lateral generate_series(s.xmax, least(p.next::text::bigint - 1, s.xmax + %1$d)) n) x(xid)
                      where not pg_visible_in_snapshot(x.xid, r.base)
                        and coalesce(%2$s, 'committed') = 'committed'
                     offset 0) x
              cross join lateral (
                select e.seq, e.created_at from waybill.event e where e.xid between x.xid and x.xid and e.seq <= at.reached
                 order by e.xid, e.seq limit %1$d + 1) l
              where r.target is null or l.seq > r.seq or not pg_visible_in_snapshot(x.xid, r.target)
              limit %1$d + 1)""".formatted(RelayStatus.COUNTED, JournalSql.XACT_STATUS);

    /**
     * Beyond the limit of counting, the backlog is the distance in seqs. The two parts of the backlog have no event in common, because
     * late ones are below the position: to look for duplicates would cost more than to read the events.
     */
    private static final String RELAYS =
            """
            select r.name, l.owner, r.epoch, l.lease_until, l.lease_until > clock_timestamp() as live, r.paused,
                   case when b.n <= %1$d then b.n else s.last_value - b.reached end as backlog, b.n <= %1$d as exact,
                   %3$s as oldest_pending_seconds,
                   least(k.n, %1$d + 1) as parked,
                   (select %4$s from waybill.event e where e.seq = k.oldest) as oldest_parked_seconds,
                   (select count(*) from (select from waybill.parked p
                      where p.relay = r.name and p.state = 'dead' limit %1$d + 1) x) as dead,
                   (select sum(l.events) from waybill.window_log l
                      where l.relay = r.name and l.logged_at > clock_timestamp() - interval '1 minute') / 60 as per_second,
                   extract(epoch from clock_timestamp() - greatest(l.lease_until, r.saved_at)) as unattended_seconds,
                   r.committed_window || ':' || r.committed_seq as committed
              from waybill.relay r
              left join waybill.lease l on l.relay = r.name
             cross join waybill.event_seq_seq s
             cross join lateral (
                select greatest(r.base_floor, case when r.target is null then 0 else r.seq end) as reached) at
             cross join lateral (
                select at.reached, count(*) as n, min(e.created_at) as oldest
                  from ((select e.seq, e.created_at from waybill.event e
                         where e.seq > at.reached and not pg_visible_in_snapshot(e.xid, r.base)
                         order by e.seq limit %1$d + 1)
                        union all
                        %2$s) e) b
             cross join lateral (
                select count(*) as n, min(p.seq) as oldest
                  from ((select p.seq from waybill.parked p where p.relay = r.name and lower(p.state) = 'due'
                          order by p.seq limit %1$d + 1)
                        union all
                        (select p.seq from waybill.parked p where p.relay = r.name and lower(p.state) = 'waiting'
                          order by p.seq limit %1$d + 1)) p) k
             where not exists (select from waybill.replay q where q.relay = r.name)
             order by r.name""".formatted(RelayStatus.COUNTED, LATE, seconds("b.oldest"), seconds("e.created_at"));

    private JournalStatus() {}

    /** The age of a time that an application may have chosen, so that it may be outside of what intervals can hold. */
    private static String seconds(String time) {
        return "extract(epoch from clock_timestamp() - case when %1$s < '0001-01-01' then '0001-01-01' when %1$s > '9999-12-31' then '9999-12-31' else %1$s end)"
                .formatted(time);
    }

    static List<RelayStatus> of(JournalConnection connection) throws SQLException {
        return connection.query(RELAYS, JournalStatus::relay);
    }

    private static RelayStatus relay(ResultSet row) throws SQLException {
        boolean live = row.getBoolean("live");
        Optional<RelayStatus.Lease> lease = live
                ? Optional.of(new RelayStatus.Lease(
                        row.getString("owner"),
                        row.getLong("epoch"),
                        row.getTimestamp("lease_until").toInstant()))
                : Optional.empty();
        double perSecond = row.getDouble("per_second");
        return new RelayStatus(
                row.getString("name"),
                lease,
                row.getBoolean("paused"),
                row.getLong("backlog"),
                row.getBoolean("exact"),
                seconds(row, "oldest_pending_seconds"),
                seconds(row, "oldest_parked_seconds"),
                row.getLong("parked"),
                row.getLong("dead"),
                OptionalDouble.of(perSecond),
                live ? Optional.empty() : seconds(row, "unattended_seconds"),
                OptionalLong.of(0),
                Optional.ofNullable(row.getString("committed")));
    }

    private static Optional<Duration> seconds(ResultSet row, String column) throws SQLException {
        double seconds = row.getDouble(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis((long) (Math.max(0, seconds) * 1000)));
    }
}
