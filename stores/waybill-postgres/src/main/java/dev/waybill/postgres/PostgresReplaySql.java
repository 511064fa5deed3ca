package dev.waybill.postgres;

import dev.waybill.admin.ReplayQuery;

/** The statements of replays over the journal. */
final class PostgresReplaySql {
    private PostgresReplaySql() {}

    private static final String AGGREGATE_ID_MATCHES = "(q.aggregate_id is null or e.aggregate_id = q.aggregate_id)";

    /** Whether the event {@code e} is one that the replay {@code q} is about, besides its place and snapshot. */
    static final String MATCHES = """
            (e.created_at >= q.created_from and e.created_at < q.created_until
                 and (q.type is null or e.type = q.type)
                 and (q.aggregate_type is null or e.aggregate_type = q.aggregate_type)
                 and %s)""".formatted(AGGREGATE_ID_MATCHES);

    /** Whether the replay {@code q} with the relay's row {@code r} has yet to send the event {@code e}. */
    static final String STILL_TO_SEND = """
            (q.ended_at is null and r.target is not null and e.seq > greatest(r.base_floor, r.seq) and e.seq <= r.high
                 and pg_visible_in_snapshot(e.xid, r.target) and %s)""".formatted(MATCHES);

    // ---- beginning

    /** What a replay that begins now may send: the seq is read after the snapshot was taken. */
    static final String NOW = "select pg_current_snapshot()::text, " + PostgresJournalSql.LAST_VALUE
            + ", (select o.value from waybill.xid_offset o where o.only_row)";

    /** The first event after a place, for finding a time by bisection. */
    static final String NEXT_EVENT =
            "select seq, created_at from waybill.event where seq > ? and seq <= ? order by seq limit 1";

    static final String START = "select waybill.start_replay(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)::text";

    static final String SAVE_TOTAL = "select waybill.set_replay_total(?, ?, ?)";

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

    static final String IS_REPLAY = "select from waybill.replay where relay = ?";

    /** Fenced: brings nothing under a newer epoch. */
    static final String PAGE = """
            select %s from waybill.event e join waybill.replay q on q.relay = ?
             where (select r.epoch from waybill.relay r where r.name = ?) = ?
               and e.seq > ? and e.seq <= ? and pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
               and %s
             order by e.seq limit ?""".formatted(PostgresJournalSql.EVENT_COLUMNS, MATCHES);

    static final String COUNT_SENT = "update waybill.replay set sent = sent + ? where relay = ?";

    // ---- ending

    /** Of one that is not over: who cancelled it, and whether something still waits. */
    static final String STANDING = """
            select q.cancelled_by, q.cancelled_why, q.who, q.why,
                   exists (select from waybill.parked p where p.relay = q.relay and p.state = 'due')
                       or exists (select from waybill.parked p where p.relay = q.relay and p.state = 'waiting')
              from waybill.replay q where q.relay = ? and q.ended_at is null""";

    private static final String PARKED = """
            ((select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'due')
             + (select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'waiting'))""";

    private static final String DEAD =
            "(select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'dead')";

    /** What waited is not sent any more either. */
    static final String END = """
            update waybill.replay q set ended_at = clock_timestamp(), not_sent = ? + %s, not_sent_exact = ?
             where q.relay = ? and q.ended_at is null""".formatted(PARKED);

    static final String FORGET_DUE = "delete from waybill.parked where relay = ? and state = 'due'";

    static final String FORGET_WAITING = "delete from waybill.parked where relay = ? and state = 'waiting'";

    static final String CANCEL = "select waybill.cancel_replay(?, ?, ?)";

    static final String END_CANCELLED = "select waybill.end_cancelled_replay(?, ?, ?, ?, ?)";

    /** Where its reading stands. */
    static final String POSITION =
            "select greatest(base_floor, seq), high, target::text from waybill.relay where name = ?";

    // ---- telling

    static final String REPLAYS = """
            select q.relay, nullif(q.created_from, '-infinity'), nullif(q.created_until, 'infinity'), q.type,
                   q.aggregate_type, q.aggregate_id, q.who, q.why, q.started_at, q.cancelled_by is not null,
                   q.ended_at is not null, l.owner, r.epoch, l.lease_until, l.lease_until > clock_timestamp(), r.paused,
                   q.total, q.total_exact, q.sent, q.not_sent, q.not_sent_exact, %s, %s
              from waybill.replay q join waybill.relay r on r.name = q.relay join waybill.lease l on l.relay = q.relay
             where q.relay = coalesce(?, q.relay) order by q.started_at, q.relay""".formatted(PARKED, DEAD);
}
