package dev.waybill.postgres;

import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import org.jspecify.annotations.Nullable;

/** What several questions of people to a journal have in common. */
final class PostgresAdminSql {
    private PostgresAdminSql() {}

    /**
     * Events below what a relay has reached, of transactions that were in progress at its base or its target. Those that still
     * are, or were rolled back, may have millions of entries in the index. A position from another cluster may speak of xids
     * that this one has not given out.
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
                select e.seq, e.created_at from waybill.event e where e.xid = x.xid and e.seq <= at.reached
                 order by e.xid, e.seq limit %1$d + 1) l
              where r.target is null or l.seq > r.seq or not pg_visible_in_snapshot(x.xid, r.target)
              limit %1$d + 1)""".formatted(RelayStatus.COUNTED, PostgresJournalSql.XACT_STATUS);

    /** Beyond what is counted, the backlog is told by the distance in seqs. */
    static final String RELAYS = """
            select r.name, l.owner, r.epoch, l.lease_until, l.lease_until > clock_timestamp() as live, r.paused,
                   case when b.n <= %1$d then b.n else s.last_value - b.reached end as backlog, b.n <= %1$d as exact,
                   extract(epoch from clock_timestamp() - case when b.oldest < '0001-01-01' then '0001-01-01'
                       when b.oldest > '9999-12-31' then '9999-12-31' else b.oldest end) as oldest_seconds,
                   (select count(*) from (
                      (select from waybill.parked p where p.relay = r.name and p.state = 'due' limit %1$d + 1)
                      union all
                      (select from waybill.parked p where p.relay = r.name and p.state = 'waiting' limit %1$d + 1)
                      limit %1$d + 1) x) as parked,
                   (select count(*) from (select from waybill.parked p
                      where p.relay = r.name and p.state = 'dead' limit %1$d + 1) x) as dead,
                   (select sum(l.events) from waybill.window_log l
                      where l.relay = r.name and l.logged_at > clock_timestamp() - interval '1 minute') / 60 as per_second,
                   extract(epoch from clock_timestamp() - greatest(l.lease_until, r.saved_at)) as unattended_seconds
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
                        union
                        %2$s) e) b
             where not exists (select from waybill.replay q where q.relay = r.name)
             order by r.name""".formatted(RelayStatus.COUNTED, LATE);

    private static final String PARKED_COLUMNS =
            "p.seq, e.id, e.type, p.state, p.attempts, p.error, p.next_attempt_at, p.holds";

    /** @param state written out, because each has an index of its own; null for all */
    static String parked(@Nullable ParkedState state) {
        return """
            select %s from waybill.parked p
             cross join lateral (select e.id, e.type from waybill.event e where e.seq = p.seq limit 1) e
             where p.relay = ? and p.seq > ?%s order by p.seq limit ?""".formatted(PARKED_COLUMNS, state == null ? "" : " and " + isIn(state));
    }

    /** As the index of that state says it. */
    static String isIn(ParkedState state) {
        return switch (state) {
            case DEAD -> "p.state = 'dead'";
            case DUE -> "lower(p.state) = 'due'";
            case WAITING -> "lower(p.state) = 'waiting'";
        };
    }

    static final String CHAPTERS = """
            select r.name,
                   pg_visible_in_snapshot(e.xid, r.base)
                       or (r.target is not null and e.seq <= r.seq and pg_visible_in_snapshot(e.xid, r.target)) as passed,
                   (select min(l.logged_at) from waybill.window_log l
                     where l.relay = r.name
                       and l.logged_at > e.created_at - interval '1 minute'
                       and (pg_visible_in_snapshot(e.xid, l.base)
                            or (l.target is not null and e.seq <= l.seq and pg_visible_in_snapshot(e.xid, l.target)))) as logged_at,
                   p.relay is not null as parked,
                   %s, d.at, d.note
              from waybill.event e cross join waybill.relay r
              left join waybill.parked p on p.relay = r.name and p.seq = e.seq
              left join waybill.discarded d on d.seq = e.seq and d.relay = r.name
              left join waybill.replay q on q.relay = r.name
             where e.id = ?
               and (q.relay is null or (pg_visible_in_snapshot(e.xid, coalesce(r.target, r.base))
                                and waybill.replay_means(q.relay, e.seq)))
             order by r.name""".formatted(PARKED_COLUMNS);
}
