package dev.waybill.jdbc;

/** What the journal asks about the server it reads from, and where it belongs. */
final class PostgresServerSql {
    private PostgresServerSql() {}

    // ---- identity

    static final String MAY_ASK = "select has_function_privilege('pg_catalog.pg_control_system()', 'execute')";

    static final String SYSTEM_IDENTIFIER = "select system_identifier::text from pg_catalog.pg_control_system()";

    static final String KEPT = """
            select 'schema:' || i.id || ':' || i.xmin || ':' || to_regclass('waybill.event')::oid
              from waybill.identity i""";

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

    static final String ROLE = "select quote_ident(current_user)";

    /** For a person to run. Every seq that anything knows of counts as given out. */
    static final String SET_FORWARD = """
            select setval('waybill.event_seq_seq', greatest((select max(seq) from waybill.event), \
            (select max(greatest(base_floor, target_floor, high, seq)) from waybill.relay)))""";

    /**
     * For a person to run. Floors and seqs speak of the old numbers; without them a relay reads on from the end of its last whole
     * window by xid alone.
     */
    static final String FORGET_FLOORS = """
            update waybill.relay set base_floor = 0, target = null, target_next = null, target_floor = null, high = null, \
            seq = 0 where not exists (select from waybill.replay q where q.relay = name)""";
}
