package dev.waybill.jdbc;

import java.util.List;

/** Outbox tables on H2: what they are made of, and how events are inserted. */
final class H2LayoutSql implements LayoutSql {
    static final H2LayoutSql INSTANCE = new H2LayoutSql();

    /** H2's own functions give the time at which the transaction began. */
    private static final String STATEMENT_START =
            "(select executing_statement_start from information_schema.sessions where session_id = session_id())";

    private static final String RELAY = """
            create table if not exists {relay} (
                name        character varying(255)  primary key,
                table_name  character varying(255)  not null unique,
                owner       character varying(1000),
                epoch       bigint                  default 0 not null,
                lease_until timestamp(6) with time zone default timestamp with time zone '1970-01-01 00:00:00+00' not null,
                paused      boolean                 default false not null,
                created_at  timestamp(6) with time zone default current_timestamp(6) not null
            )""";

    private static final String CLAIM = """
            create table if not exists {claim} (
                seq             bigint                 generated always as identity unique,
                store           character varying(255) not null,
                row_id          character varying(255) not null,
                key_hash        character varying(36)  not null,
                state           character varying(20)  not null,
                holds           boolean                default false not null,
                attempts        integer                default 0 not null,
                error           character varying(100000),
                next_attempt_at timestamp(6) with time zone,
                owner           character varying(1000),
                locked_until    timestamp(6) with time zone,
                changed_at      timestamp(6) with time zone default current_timestamp(6) not null,
                primary key (store, row_id)
            )""";

    private static final String CLAIM_KEYS =
            "create index if not exists waybill_claim_key on {claim} (store, key_hash)";

    private static final String AUDIT = """
            create table if not exists {audit} (
                id      bigint                      generated always as identity primary key,
                at      timestamp(6) with time zone default current_timestamp(6) not null,
                who     character varying           not null,
                why     character varying           not null,
                action  character varying           not null,
                relay   character varying           not null,
                details character varying           not null
            )""";

    private static final String VERSIONS = """
            create table if not exists {schema_version} (
                version    integer                     primary key,
                name       character varying(255)      not null,
                applied_at timestamp(6) with time zone default current_timestamp(6) not null
            )""";

    private H2LayoutSql() {}

    @Override
    public String type(TableLayout layout, TableColumn column) {
        return switch (column) {
            case ID -> id(layout.idKind(), layout, column);
            case AGGREGATE_ID -> id(layout.aggregateIdKind(), layout, column);
            case SEQUENCE, AGGREGATE_VERSION -> "bigint";
            case VERSION, ATTEMPTS -> "integer";
            case PAYLOAD ->
                switch (layout.payloadKind()) {
                    case JSON, JSONB -> "json";
                    case TEXT -> "character large object";
                    case BYTES -> "binary large object";
                };
            case PAYLOAD_BYTES -> "binary large object";
            case HEADERS -> "json";
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL ->
                layout.zone().isPresent() ? "timestamp(6)" : "timestamp(6) with time zone";
            case STATE -> layout.state() instanceof TableState.Flag ? "boolean" : text(layout, column);
            case ERROR -> "character large object";
            case TYPE, AGGREGATE_TYPE, TOPIC, KEY, CONTENT_TYPE, LOCKED_BY -> text(layout, column);
        };
    }

    private static String id(TableLayout.IdKind kind, TableLayout layout, TableColumn column) {
        return switch (kind) {
            case UUID -> "uuid";
            case NUMBER -> "bigint";
            case TEXT -> text(layout, column);
        };
    }

    private static String text(TableLayout layout, TableColumn column) {
        return layout.length(column).isPresent()
                ? "character varying(" + layout.length(column).getAsInt() + ")"
                : "character varying";
    }

    /** A text given to a json column is otherwise a JSON text. */
    @Override
    public String parameter(TableLayout layout, TableColumn column) {
        return type(layout, column).equals("json") ? "? format json" : "?";
    }

    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return inZone(layout, "dateadd(microsecond, " + plusMicros + ", " + STATEMENT_START + ")");
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return inZone(layout, "current_timestamp(6)");
    }

    /** A cast would give the time of the session's zone. */
    private static String inZone(TableLayout layout, String instant) {
        return layout.zone().isEmpty()
                ? instant
                : "dateadd(microsecond, datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', "
                        + instant + "), timestamp '1970-01-01 00:00:00')";
    }

    @Override
    public String identity() {
        return "generated always as identity (no cache)";
    }

    @Override
    public String tableOptions() {
        return "";
    }

    @Override
    public boolean indexesInTable() {
        return false;
    }

    @Override
    public boolean partialIndexes() {
        return false;
    }

    @Override
    public List<String> sideTables() {
        return List.of(RELAY, CLAIM, CLAIM_KEYS, AUDIT, VERSIONS);
    }

    @Override
    public String recordVersion() {
        return "merge into {schema_version} (version, name) key (version) values (%d, '%s')";
    }

    @Override
    public List<String> lockSchema() {
        return List.of();
    }
}
