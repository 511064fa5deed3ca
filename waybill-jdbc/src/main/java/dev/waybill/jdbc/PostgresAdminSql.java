package dev.waybill.jdbc;

import dev.waybill.admin.RelayStatus;

/** The statements of {@link PostgresJournalAdmin}. */
final class PostgresAdminSql {
    private PostgresAdminSql() {}

    /** Beyond what is counted, the backlog is told by the distance in seqs. */
    static final String RELAYS = """
            select r.name, l.owner, r.epoch, l.lease_until, l.lease_until > clock_timestamp() as live, r.paused,
                   case when b.n <= %1$d then b.n else s.last_value - b.reached end as backlog, b.n <= %1$d as exact,
                   extract(epoch from clock_timestamp() - b.oldest) as oldest_seconds,
                   (select count(*) from (select from waybill.parked p
                      where p.relay = r.name and p.state <> 'dead' limit %1$d + 1) x) as parked,
                   (select count(*) from (select from waybill.parked p
                      where p.relay = r.name and p.state = 'dead' limit %1$d + 1) x) as dead,
                   (select sum(l.events) from waybill.window_log l
                      where l.relay = r.name and l.logged_at > clock_timestamp() - interval '1 minute') / 60 as per_second,
                   extract(epoch from clock_timestamp() - greatest(l.lease_until, r.saved_at)) as unattended_seconds
              from waybill.relay r
              left join waybill.lease l on l.relay = r.name
             cross join waybill.event_seq_seq s
             cross join lateral (
                select greatest(r.base_floor, case when r.target is null then 0 else r.seq end) as reached,
                       count(*) as n, min(e.created_at) as oldest
                  from (select e.created_at from waybill.event e
                         where e.seq > greatest(r.base_floor, case when r.target is null then 0 else r.seq end)
                           and not pg_visible_in_snapshot(e.xid, r.base)
                         order by e.seq limit %1$d + 1) e) b
             where not exists (select from waybill.replay q where q.relay = r.name)
             order by r.name""".formatted(RelayStatus.COUNTED);

    private static final String PARKED_COLUMNS =
            "p.seq, e.id, e.type, p.state, p.attempts, p.error, p.next_attempt_at, p.holds";

    static final String PARKED = """
            select %s from waybill.parked p join waybill.event e on e.seq = p.seq
             where p.relay = ? and p.seq > ? and (?::text is null or p.state = ?) order by p.seq limit ?""".formatted(PARKED_COLUMNS);

    static final String PAYLOAD = "select payload, payload_bytes, content_type from waybill.event where id = ?";

    static final String EVENT = """
            select e.seq, e.id, e.type, e.aggregate_type, e.created_at,
                   coalesce(octet_length(e.payload::text), octet_length(e.payload_bytes))
              from waybill.event e where e.id = ?""";

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
               and (q.relay is null or (pg_visible_in_snapshot(e.xid, coalesce(r.target, r.base)) and %s))
             order by r.name""".formatted(PARKED_COLUMNS, PostgresReplaySql.MATCHES);

    static final String PAUSE = "update waybill.relay set paused = ? where name = ?";

    static final String WRITE_AUDIT =
            "insert into waybill.audit (who, why, action, relay, details) values (?, ?, ?, ?, ?)";

    static final String READ_AUDIT =
            "select at, who, why, action, relay, details from waybill.audit order by id desc limit ?";

    /**
     * One step along the primary key. Positions, parked events and deletion share one snapshot: an event that is being parked
     * is either not yet passed by its relay, or already parked.
     */
    static final String PURGE = """
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
            select (select count(*) from deleted), count(*), max(c.seq), bool_and(c.over) from candidate c""".formatted(PostgresReplaySql.STILL_TO_SEND);

    static final String PURGE_LOG =
            "delete from waybill.window_log where logged_at < clock_timestamp() - ? * interval '1 millisecond'";

    /** Their snapshots speak of the other cluster's xids: what they had yet to send cannot be told. */
    static final String DROP_REPLAYS = "delete from waybill.relay r using waybill.replay q where q.relay = r.name";

    /** Visible in the old base, and given out before it: surely published. Everything else gets this transaction's xid. */
    static final String ADOPT_EVENTS = """
            update waybill.event e set xid = case
                when not exists (select from waybill.relay r
                      where not (pg_visible_in_snapshot(e.xid, r.base) and e.seq <= r.base_floor)) then '3'::xid8
                else pg_current_xact_id() end""";

    static final String ADOPT_RELAYS = """
            update waybill.relay set system_id = ?,
                   base = '4:4:', base_next = '4', base_floor = 0, target = null, target_next = null, target_floor = null,
                   high = null, seq = 0""";

    /** Its snapshots speak of the other cluster's xids. */
    static final String ADOPT_LOG = "delete from waybill.window_log";

    static final String COUNT_ADOPTED = "select count(*) from waybill.event where xid <> '3'::xid8";
}
