package dev.waybill.postgres;

import dev.waybill.jdbc.kernel.SchemaLockSql;

/** The statements around the journal's DDL: versions and grants. */
final class PostgresSchemaSql {
    private PostgresSchemaSql() {}

    /** As the driver writes it. */
    static final String TRUE = "t";

    /** Like {@link SchemaLockSql#LOCK_SCHEMA}, without waiting. */
    static final String TRY_LOCK_SCHEMA = "select pg_try_advisory_xact_lock(hashtext('waybill schema'))";

    /** Who has that lock. Everybody may take it: an advisory lock needs no right. */
    static final String WHO_LOCKS_SCHEMA = """
            select string_agg(coalesce(a.usename, 'unknown user') || ', pid ' || l.pid, '; ' order by l.pid)
              from pg_locks l left join pg_stat_activity a on a.pid = l.pid
             where l.locktype = 'advisory' and l.granted and l.objsubid = 1
               and l.database = (select d.oid from pg_database d where d.datname = current_database())
               and ((l.classid::bigint << 32) | l.objid::bigint) = hashtext('waybill schema')::bigint""";

    static final String CREATE_VERSIONS = """
            create schema if not exists waybill;
            create table if not exists waybill.schema_version (
                version    integer     primary key,
                name       text        not null,
                applied_at timestamptz not null default clock_timestamp()
            )""";

    static final String SCHEMA_VERSION = "select coalesce(max(version), 0) from waybill.schema_version";

    /** Neither seq nor xid nor created_at: the database gives those. */
    static final String GRANT_PRODUCER = """
            grant usage on schema waybill to %1$s;
            grant insert (id, type, version, aggregate_type, aggregate_id, aggregate_version, topic, key, payload,
                payload_bytes, content_type, headers) on waybill.event to %1$s;
            """;

    static final String GRANT_RELAY = """
            grant usage on schema waybill to %1$s;
            grant select, delete on waybill.event to %1$s;
            grant select on sequence waybill.event_seq_seq to %1$s;
            grant usage on sequence waybill.epoch to %1$s;
            grant select on waybill.schema_version to %1$s;
            grant select, insert, update on waybill.relay, waybill.lease to %1$s;
            grant select on waybill.dropped to %1$s;
            grant select, insert, update, delete on waybill.parked, waybill.window_log to %1$s;
            grant select, update on waybill.replay to %1$s;
            grant insert on waybill.audit to %1$s;
            grant select, delete on waybill.discarded to %1$s;
            grant select on waybill.identity, waybill.xid_offset to %1$s;
            grant select, insert on waybill.cluster, waybill.environment to %1$s;
            grant execute on function waybill.own_xids() to %1$s;
            """;

    /** What they had before. */
    static final String REVOKE_FROM_PEOPLE = """
            revoke all on all tables in schema waybill from %1$s;
            revoke all on all sequences in schema waybill from %1$s;
            revoke all on all functions in schema waybill from %1$s;
            """;

    /** Neither payloads and headers nor keys and the ids they are made of. */
    static final String GRANT_VIEWER = """
            grant usage on schema waybill to %1$s;
            grant select (xid, seq, id, type, version, aggregate_type, aggregate_version, topic, content_type, created_at)
                on waybill.event to %1$s;
            grant select on waybill.relay, waybill.lease, waybill.dropped, waybill.parked, waybill.window_log, waybill.replay,
                waybill.discarded, waybill.audit, waybill.identity, waybill.xid_offset, waybill.cluster, waybill.environment,
                waybill.schema_version to %1$s;
            grant select on sequence waybill.event_seq_seq to %1$s;
            grant execute on function waybill.payload_length(uuid), waybill.replay_means(text, bigint), waybill.own_xids(),
                waybill.note_denial(text, text, text, text, text) to %1$s;
            """;

    /** Everything that changes something is a function with its entry in the audit. */
    static final String GRANT_OPERATOR = GRANT_VIEWER + """
            grant select (key, aggregate_id) on waybill.event to %1$s;
            grant execute on function waybill.note_act(text, text, text, text, text),
                waybill.requeue(text, bigint[], text, text, text, text),
                waybill.discard(text, bigint[], text, text, text, text), waybill.set_paused(text, boolean, text, text),
                waybill.drop_relay(text, text, text), waybill.restore_relay(text, text, text),
                waybill.start_replay(text, bigint, bigint, timestamptz, timestamptz, text, text, text, text, text, text),
                waybill.set_replay_total(text, bigint, boolean), waybill.cancel_replay(text, text, text),
                waybill.end_cancelled_replay(text, bigint, boolean, text, text) to %1$s;
            """;

    static final String GRANT_REVEALER = """
            grant usage on schema waybill to %1$s;
            grant execute on function waybill.ask_payload(uuid, text, text), waybill.payload(bigint) to %1$s;
            """;
}
