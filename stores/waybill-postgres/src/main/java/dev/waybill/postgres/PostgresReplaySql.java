package dev.waybill.postgres;

import dev.waybill.admin.ReplayQuery;

/** Statements of replays that more than one class runs, or that are put together from parts. */
final class PostgresReplaySql {
    private PostgresReplaySql() {}

    private static final String AGGREGATE_ID_MATCHES = "(q.aggregate_id is null or e.aggregate_id = q.aggregate_id)";

    /** Whether the event {@code e} is one that the replay {@code q} is about, besides its place and snapshot. */
    static final String MATCHES = """
            (e.created_at >= q.created_from and e.created_at < q.created_until
                 and (q.type is null or e.type = q.type)
                 and (q.aggregate_type is null or e.aggregate_type = q.aggregate_type)
                 and %s)""".formatted(AGGREGATE_ID_MATCHES);

    // ---- beginning

    /** How many match between two places. A viewer may not read the aggregate's id, so it is named only when asked for. */
    static String count(ReplayQuery query) {
        return query.aggregateId().isPresent() ? COUNT : COUNT.replace(AGGREGATE_ID_MATCHES, "q.aggregate_id is null");
    }

    private static final String COUNT = """
            select count(*) from waybill.event e
             cross join (select coalesce(?::timestamptz, '-infinity') as created_from,
                                coalesce(?::timestamptz, 'infinity') as created_until,
                                ?::text as type, ?::text as aggregate_type, ?::text as aggregate_id) q
             where e.seq > ? and e.seq <= ? and pg_visible_in_snapshot(e.xid, ?::pg_snapshot) and %s""".formatted(MATCHES);

    // ---- sending

    // ---- ending

    private static final String PARKED = """
            ((select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'due')
             + (select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'waiting'))""";

    private static final String DEAD =
            "(select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'dead')";

    /** Events that waited for a retry are not sent any more. */
    static final String END = """
            update waybill.replay q set ended_at = clock_timestamp(), not_sent = ? + %s, not_sent_exact = ?
             where q.relay = ? and q.ended_at is null""".formatted(PARKED);

    // ---- telling

    static final String REPLAYS = """
            select q.relay, nullif(q.created_from, '-infinity'), nullif(q.created_until, 'infinity'), q.type,
                   q.aggregate_type, q.aggregate_id, q.who, q.why, q.started_at, q.cancelled_by is not null,
                   q.ended_at is not null, l.owner, r.epoch, l.lease_until, l.lease_until > clock_timestamp(), r.paused,
                   q.total, q.total_exact, q.sent, q.not_sent, q.not_sent_exact, %s, %s
              from waybill.replay q join waybill.relay r on r.name = q.relay join waybill.lease l on l.relay = q.relay
             where q.relay = coalesce(?, q.relay) order by q.started_at, q.relay""".formatted(PARKED, DEAD);
}
