package dev.waybill.jdbc;

/** What an append runs on the journal. */
final class JournalInsertSql {
    private JournalInsertSql() {}

    static final String INSERT_EVENT = """
            insert into waybill.event (id, type, version, aggregate_type, aggregate_id, aggregate_version, topic, key, payload,
                                       payload_bytes, content_type, headers) values""";

    static final String INSERT_VALUES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    static final String LOCK_KEYS = "select pg_advisory_xact_lock(k) from unnest(?::bigint[]) k";
}
