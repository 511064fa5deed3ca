package dev.waybill.table;

import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.MariaDbLayoutSql;
import dev.waybill.jdbc.layout.TableDialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The side tables of outbox tables, one set per schema. They hold what a layout lacks and the relay's lease. Times are
 * microseconds since 1970 by the database's clock, so they do not depend on the database or a session's time zone.
 */
final class SideTableSql {
    private SideTableSql() {}

    /**
     * One relay per outbox table: {@code outbox} is unique, and null after the relay was dropped; its epoch is kept.
     */
    private static final String RELAY = """
            create table if not exists {relay} (
                name varchar(100) not null primary key,
                outbox varchar(200) unique,
                owner varchar(200),
                epoch bigint not null,
                lease_until bigint not null,
                paused boolean not null,
                changes bigint not null)""";

    /** Rows that wait for a retry, are dead, or are leased. */
    private static final String CLAIM = """
            create table if not exists {claim} (
                outbox varchar(200) not null,
                row_id varchar(255) not null,
                key_hash varchar(36) not null,
                position bigint not null,
                state varchar(10) not null,
                holds boolean not null,
                attempts int not null,
                error varchar(2000),
                next_attempt_at bigint,
                owner varchar(300),
                lease_until bigint,
                primary key (row_id, outbox))""";

    /**
     * Columns of the indexes, such that a claim does not read dead rows. For H2, columns that are compared with lists come
     * first.
     */
    private static final Map<String, String> CLAIM_INDEXES = new TreeMap<>(Map.of(
            "waybill_claim_blockers", "(key_hash, holds, state, position, outbox)",
            "waybill_claim_due", "(outbox, state, next_attempt_at, position)",
            "waybill_claim_places", "(outbox, state, position, row_id)",
            "waybill_claim_holding", "(outbox, holds, position, row_id)",
            "waybill_claim_owner", "(outbox, owner)"));

    private static final String AUDIT = """
            create table if not exists {audit} (
                id bigint not null %s primary key,
                done_at bigint not null,
                who varchar(200) not null,
                why varchar(1000) not null,
                action varchar(50) not null,
                outbox varchar(200) not null,
                relay varchar(100) not null,
                details varchar(4000) not null)""";

    /**
     * Replays that were not dropped. Each has a row in {@code {relay}} for its lease, and its failed rows in {@code {claim}},
     * both under an outbox name of its own ({@code TableConnection.outbox}).
     */
    private static final String REPLAY = """
            create table if not exists {replay} (
                name varchar(100) not null primary key,
                outbox varchar(200) not null,
                created_from bigint,
                created_until bigint,
                event_type varchar(255),
                aggregate_type varchar(255),
                aggregate_id varchar(1000),
                who varchar(200) not null,
                why varchar(1000) not null,
                started_at bigint not null,
                at_value bigint not null,
                at_id varchar(255),
                at_created bigint not null,
                up_to bigint not null,
                read_all boolean not null,
                total bigint not null,
                total_exact boolean not null,
                sent bigint not null,
                cancelled_by varchar(200),
                cancelled_why varchar(1000),
                ended_at bigint,
                not_sent bigint,
                not_sent_exact boolean)""";

    private static final String VERSION =
            "create table if not exists {schema_version} (version int not null primary key)";

    private static final String MARIADB_TABLE = MariaDbLayoutSql.INSTANCE.tableOptions();

    /** Statements that create missing tables, with placeholders for {@link LayoutNames}. */
    static List<String> create(TableDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL, H2 -> {
                List<String> statements = new ArrayList<>(List.of(RELAY, CLAIM));
                CLAIM_INDEXES.forEach((name, columns) ->
                        statements.add("create index if not exists " + name + " on {claim} " + columns));
                statements.addAll(List.of(AUDIT.formatted("generated always as identity"), REPLAY, VERSION));
                yield statements;
            }
            case MARIADB ->
                List.of(
                        RELAY + MARIADB_TABLE,
                        CLAIM.substring(0, CLAIM.length() - 1) + indexesInTable() + ")" + MARIADB_TABLE,
                        AUDIT.formatted("auto_increment") + MARIADB_TABLE,
                        REPLAY + MARIADB_TABLE,
                        VERSION);
        };
    }

    /** Created with the table, since MariaDB cannot roll back a create statement. */
    private static String indexesInTable() {
        StringBuilder indexes = new StringBuilder();
        CLAIM_INDEXES.forEach((name, columns) ->
                indexes.append(",\n    index ").append(name).append(' ').append(columns));
        return indexes.toString();
    }
}
