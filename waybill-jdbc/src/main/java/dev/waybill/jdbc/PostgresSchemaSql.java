package dev.waybill.jdbc;

/** The statements around the journal's DDL: versions and grants. */
final class PostgresSchemaSql {
    private PostgresSchemaSql() {}

    /** Whoever waited for the lock must see what was made meanwhile, whatever isolation the database has by default. */
    static final String SEE_WHAT_OTHERS_COMMIT = "set transaction isolation level read committed";

    /** One process at a time, until its transaction ends. */
    static final String LOCK_SCHEMA = "select pg_advisory_xact_lock(hashtext('waybill schema'))";

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
            """;

    static final String GRANT_VIEWER = """
            grant usage on schema waybill to %1$s;
            grant select on all tables in schema waybill to %1$s;
            grant select on sequence waybill.event_seq_seq to %1$s;
            """;

    static final String GRANT_OPERATOR = GRANT_VIEWER + """
            grant update, delete on waybill.relay, waybill.parked to %1$s;
            grant insert on waybill.relay to %1$s;
            grant insert, update on waybill.lease, waybill.replay to %1$s;
            grant insert, delete on waybill.dropped to %1$s;
            grant insert on waybill.audit to %1$s;
            grant insert on waybill.discarded to %1$s;
            grant insert on waybill.cluster to %1$s;
            """;
}
