package dev.waybill.postgres;

/** What the journal asks about the server it reads from, and where it belongs. */
final class PostgresServerSql {
    private PostgresServerSql() {}

    // ---- identity

    static final String MAY_ASK = "select has_function_privilege('pg_catalog.pg_control_system()', 'execute')";

    static final String SYSTEM_IDENTIFIER = "select system_identifier::text from pg_catalog.pg_control_system()";

    static final String KEPT = """
            select 'schema:' || i.id || ':' || i.xmin || ':' || to_regclass('waybill.event')::oid
              from waybill.identity i""";

    static final String SUBSCRIPTION = """
            select from pg_subscription_rel s where s.srrelid = to_regclass('waybill.event') limit 1""";

    // ---- environment

    static final String BIND = "insert into waybill.environment (name) values (?) on conflict (only_row) do nothing";

    static final String BOUND_TO = "select name from waybill.environment";

    static final String REBIND = """
            insert into waybill.environment (name) values (?)
            on conflict (only_row) do update set name = excluded.name, bound_at = clock_timestamp()""";

    // ---- standbys

    static final String STANDBYS =
            "select distinct s.application_name from " + PostgresJournalSql.STANDBYS + " s order by 1";

    // ---- the sequence

    /** Rows that the statement sees have their seq: the value is read after its snapshot was taken. */
    static final String SEQUENCE_STANDS_AT = """
            select %s, coalesce((select e.seq from waybill.event e order by e.seq desc limit 1), 0)""".formatted(PostgresJournalSql.LAST_VALUE);

    /** Goes along the index on (xid, seq), which alone tells that a row is none of these. */
    static final String GIVEN_OUT_AGAIN = """
            select e.seq from waybill.event e where e.xid >= ?::xid8 and e.xid < ?::xid8 and e.seq <= ?
             order by e.xid, e.seq limit 1""";

    static final String ROLE = "select quote_ident(current_user)";

    /** For a person to run. Every seq that anything knows of counts as given out. */
    static final String SET_FORWARD = """
            select setval('waybill.event_seq_seq', greatest((select last_value from waybill.event_seq_seq), \
            (select max(seq) from waybill.event), \
            (select max(greatest(base_floor, target_floor, high, seq)) from waybill.relay)))""";

    /**
     * For a person to run, as long as the positions are the old ones. What a relay has parked or given up it has seen; if it has
     * not seen the event of that number, the number was given out again. No event has a negative one: the relay drops such
     * parked events when it begins, and opens their keys.
     */
    static final String FORGET_PARKED = """
            with met as (select e.seq, r.name from waybill.event e join waybill.relay r \
            on not pg_visible_in_snapshot(e.xid, r.base) \
            and (r.target is null or not pg_visible_in_snapshot(e.xid, r.target))), \
            forgotten as (delete from waybill.discarded d where not exists (select from waybill.event e where e.seq = d.seq) \
            or exists (select from met where met.seq = d.seq and met.name = d.relay)) \
            update waybill.parked p set seq = -p.seq from met where met.seq = p.seq and met.name = p.relay""";

    /**
     * For a person to run. Floors and seqs speak of the old numbers; without them a relay reads on from the end of its last whole
     * window by xid alone.
     */
    static final String FORGET_FLOORS = """
            update waybill.relay set base_floor = 0, target = null, target_next = null, target_floor = null, high = null, \
            seq = 0 where not exists (select from waybill.replay q where q.relay = name)""";
}
