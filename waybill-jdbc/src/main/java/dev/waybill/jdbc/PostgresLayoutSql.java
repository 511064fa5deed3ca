package dev.waybill.jdbc;

import java.time.ZoneOffset;
import java.util.List;

/** Outbox tables on PostgreSQL: what they are made of, and how events are inserted. */
final class PostgresLayoutSql implements LayoutSql {
    static final PostgresLayoutSql INSTANCE = new PostgresLayoutSql();

    private static final String RELAY = """
            create table if not exists {relay} (
                name        varchar(255) primary key,
                table_name  varchar(255) not null unique,
                owner       varchar(1000),
                epoch       bigint       not null default 0,
                lease_until timestamptz  not null default '-infinity',
                paused      boolean      not null default false,
                created_at  timestamptz  not null default clock_timestamp()
            ) with (fillfactor = 20)""";

    private static final String CLAIM = """
            create table if not exists {claim} (
                seq             bigint       generated always as identity unique,
                store           varchar(255) not null,
                row_id          varchar(255) not null,
                key_hash        varchar(36)  not null,
                state           varchar(20)  not null,
                holds           boolean      not null default false,
                attempts        integer      not null default 0,
                error           text,
                next_attempt_at timestamptz,
                owner           varchar(1000),
                locked_until    timestamptz,
                changed_at      timestamptz  not null default clock_timestamp(),
                primary key (store, row_id)
            )""";

    private static final String CLAIM_KEYS =
            "create index if not exists waybill_claim_key on {claim} (store, key_hash)";

    private static final String AUDIT = """
            create table if not exists {audit} (
                id      bigint      generated always as identity primary key,
                at      timestamptz not null default clock_timestamp(),
                who     text        not null,
                why     text        not null,
                action  text        not null,
                relay   text        not null,
                details text        not null
            )""";

    private static final String VERSIONS = """
            create table if not exists {schema_version} (
                version    integer      primary key,
                name       varchar(255) not null,
                applied_at timestamptz  not null default clock_timestamp()
            )""";

    private PostgresLayoutSql() {}

    @Override
    public String type(TableLayout layout, TableColumn column) {
        return switch (column) {
            case ID -> id(layout.idKind(), layout, column);
            case AGGREGATE_ID -> id(layout.aggregateIdKind(), layout, column);
            case SEQUENCE, AGGREGATE_VERSION -> "bigint";
            case VERSION, ATTEMPTS -> "integer";
            case PAYLOAD ->
                switch (layout.payloadKind()) {
                    case JSON -> "json";
                    case JSONB -> "jsonb";
                    case TEXT -> "text";
                    case BYTES -> "bytea";
                };
            case PAYLOAD_BYTES -> "bytea";
            case HEADERS -> "json";
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL ->
                layout.zone().isPresent() ? "timestamp" : "timestamptz";
            case STATE -> layout.state() instanceof TableState.Flag ? "boolean" : text(layout, column);
            case ERROR -> "text";
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
                ? "varchar(" + layout.length(column).getAsInt() + ")"
                : "text";
    }

    @Override
    public String parameter(TableLayout layout, TableColumn column) {
        return "?";
    }

    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return inZone(layout, "(statement_timestamp() + interval '" + plusMicros + " microseconds')");
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return inZone(layout, "clock_timestamp()");
    }

    /** The name of a zone has letters, digits and the signs of an offset only. */
    private static String inZone(TableLayout layout, String instant) {
        return layout.zone()
                .map(zone ->
                        "(" + instant + " at time zone '" + (zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId()) + "')")
                .orElse(instant);
    }

    @Override
    public String identity() {
        return "generated always as identity (cache 1)";
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
        return true;
    }

    @Override
    public List<String> sideTables() {
        return List.of(RELAY, CLAIM, CLAIM_KEYS, AUDIT, VERSIONS);
    }

    @Override
    public String recordVersion() {
        return "insert into {schema_version} (version, name) values (%d, '%s') on conflict do nothing";
    }

    @Override
    public List<String> lockSchema() {
        return List.of(PostgresSchemaSql.SEE_WHAT_OTHERS_COMMIT, PostgresSchemaSql.LOCK_SCHEMA);
    }
}
