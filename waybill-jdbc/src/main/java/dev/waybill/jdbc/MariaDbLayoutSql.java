package dev.waybill.jdbc;

import java.util.List;

/** Outbox tables on MariaDB and MySQL: what they are made of, and how events are inserted. */
final class MariaDbLayoutSql implements LayoutSql {
    static final MariaDbLayoutSql INSTANCE = new MariaDbLayoutSql();

    /** By bytes: else two ids, or two keys, that differ in case or accents would be one. */
    private static final String OPTIONS = " engine = InnoDB default character set utf8mb4 collate utf8mb4_bin";

    private static final String RELAY = """
            create table if not exists {relay} (
                name        varchar(255)  not null primary key,
                table_name  varchar(255)  not null unique,
                owner       varchar(1000) null,
                epoch       bigint        not null default 0,
                lease_until datetime(6)   not null default '1970-01-01 00:00:00',
                paused      boolean       not null default false,
                created_at  datetime(6)   not null default (utc_timestamp(6))
            )""" + OPTIONS;

    private static final String CLAIM = """
            create table if not exists {claim} (
                seq             bigint        not null auto_increment unique,
                store           varchar(255)  not null,
                row_id          varchar(255)  not null,
                key_hash        varchar(36)   not null,
                state           varchar(20)   not null,
                holds           boolean       not null default false,
                attempts        integer       not null default 0,
                error           text          null,
                next_attempt_at datetime(6)   null,
                owner           varchar(1000) null,
                locked_until    datetime(6)   null,
                changed_at      datetime(6)   not null default (utc_timestamp(6)),
                primary key (store, row_id),
                index waybill_claim_key (store, key_hash)
            )""" + OPTIONS;

    private static final String AUDIT = """
            create table if not exists {audit} (
                id      bigint       not null auto_increment primary key,
                at      datetime(6)  not null default (utc_timestamp(6)),
                who     varchar(255) not null,
                why     text         not null,
                action  varchar(255) not null,
                relay   varchar(255) not null,
                details text         not null
            )""" + OPTIONS;

    private static final String VERSIONS = """
            create table if not exists {schema_version} (
                version    integer      not null primary key,
                name       varchar(255) not null,
                applied_at datetime(6)  not null default (utc_timestamp(6))
            )""" + OPTIONS;

    private MariaDbLayoutSql() {}

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
                    case TEXT -> "longtext";
                    case BYTES -> "longblob";
                };
            case PAYLOAD_BYTES -> "longblob";
            case HEADERS -> "json";
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL ->
                layout.zone().isPresent() ? "datetime(6)" : "timestamp(6)";
            case STATE -> layout.state() instanceof TableState.Flag ? "boolean" : text(layout, column);
            case ERROR -> "text";
            case TYPE, AGGREGATE_TYPE, TOPIC, KEY, CONTENT_TYPE, LOCKED_BY -> text(layout, column);
        };
    }

    /** MySQL has no type for a UUID; its text is what both take. */
    private static String id(TableLayout.IdKind kind, TableLayout layout, TableColumn column) {
        return switch (kind) {
            case UUID -> "char(36)";
            case NUMBER -> "bigint";
            case TEXT -> text(layout, column);
        };
    }

    private static String text(TableLayout layout, TableColumn column) {
        return "varchar(" + layout.length(column).orElse(255) + ")";
    }

    @Override
    public String parameter(TableLayout layout, TableColumn column) {
        return "?";
    }

    @Override
    public String statementTime(TableLayout layout, int plusMicros) {
        return "(" + clock(layout) + " + interval " + plusMicros + " microsecond)";
    }

    @Override
    public String defaultTime(TableLayout layout) {
        return layout.zone().isPresent() ? "(" + clock(layout) + ")" : clock(layout);
    }

    /** Both are the statement's start. A timestamp column turns the session's time into UTC; a datetime column takes what it gets. */
    private static String clock(TableLayout layout) {
        return layout.zone().isPresent() ? "utc_timestamp(6)" : "current_timestamp(6)";
    }

    @Override
    public String identity() {
        return "auto_increment";
    }

    @Override
    public String tableOptions() {
        return OPTIONS;
    }

    /** MySQL cannot create an index only if it is not there. */
    @Override
    public boolean indexesInTable() {
        return true;
    }

    @Override
    public boolean partialIndexes() {
        return false;
    }

    @Override
    public List<String> sideTables() {
        return List.of(RELAY, CLAIM, AUDIT, VERSIONS);
    }

    @Override
    public String recordVersion() {
        return "insert into {schema_version} (version, name) values (%d, '%s') on duplicate key update version = version";
    }

    @Override
    public List<String> lockSchema() {
        return List.of();
    }
}
