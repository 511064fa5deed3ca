package dev.waybill.jdbc;

import dev.waybill.jdbc.layout.TableDialect;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The statements of an inbox, for each database. */
final class InboxSql {
    private static final int MAX_NAME_BYTES = 63;
    private static final int HASH_LENGTH = 8;
    private static final int DIGITS_OF_MICROSECONDS = 6;

    private static final String MARK_WAYBILL =
            "insert into {table} (consumer, event_id, handled_at{more}) values (?, ?, {now}{values})";
    private static final String MARK_PROCESSED =
            "insert into {table} (event_id, processed_at{more}) values (?, {now}{values})";
    private static final String MARK_GROUPS = """
            insert into {table} (consumer_group, event_id, entity_id, entity_version, processed_at{more})
            values (?, ?, ?, ?, {now}{values})""";
    /**
     * The stamp of a mark tells it from a mark of the same event that another transaction wrote: on PostgreSQL its transaction, on
     * other databases its time. If the column's times are too coarse, the stamp is the third column: on H2 the transaction; on
     * MariaDB empty, because it has no function for it.
     */
    private static final String STAMPED_POSTGRESQL =
            "with marked as ({mark} on conflict do nothing returning 1) select pg_current_xact_id()::text from marked";

    private static final String STAMP_MARIADB = "unix_timestamp({time}), {time}, ''";
    private static final String STAMP_H2 = "extract(epoch from {time}), {time}, transaction_id()";
    private static final String STAMPED_MARIADB = "{mark} returning " + STAMP_MARIADB;
    private static final String STAMPED_H2 = "select " + STAMP_H2 + " from final table ({mark})";

    /**
     * On PostgreSQL a second insert looks for the mark: it uses the primary key whatever the plan, while a select could use a plan
     * from when the table was empty and scan it each time. If it inserts a row, the mark is missing and there is no stamp.
     */
    private static final String FIND_POSTGRESQL = """
            with marked as ({mark} on conflict do nothing returning 1)
            select pg_current_xact_id_if_assigned()::text where not exists (select from marked)""";

    private static final String FIND_MARIADB = "select " + STAMP_MARIADB + " from {table} where {own} event_id = ?";
    private static final String FIND_H2 = "select " + STAMP_H2 + " from {table} where {own} event_id = ?";
    private static final String RECORDED = "select event_id, {consumer} from {table} where {own} event_id = ?";

    /** Ordered by id, so that concurrent transactions with the same ids do not deadlock. */
    private static final String MARK_ALL_WAYBILL = """
            insert into {table} (consumer, event_id, handled_at{more})
            select ?, id, {now}{more} from unnest(?::varchar[]{arrays}) as events (id{more}) order by id
            on conflict do nothing returning event_id, pg_current_xact_id()::text""";

    private static final String MARK_ALL_PROCESSED = """
            insert into {table} (event_id, processed_at{more})
            select id, {now}{more} from unnest(?::uuid[]{arrays}) as events (id{more}) order by id
            on conflict do nothing returning event_id, pg_current_xact_id()::text""";

    /** On PostgreSQL a failed insert would abort the transaction; on other databases it is harmless. */
    private static final String UNLESS_THERE = " on conflict do nothing";

    static final List<String> KEYS_OF_VERSIONS = List.of("consumer", "entity");

    private static final String LAST_VERSION =
            "select version from waybill_inbox_version where consumer = ? and entity = ? for update";
    private static final String FIRST_VERSION =
            "insert into waybill_inbox_version (version, consumer, entity) values (?, ?, ?)";
    private static final String NEXT_VERSION =
            "update waybill_inbox_version set version = ? where consumer = ? and entity = ?";

    /** Oldest first, so that the index on the time is used. */
    private static final String PURGE_POSTGRESQL = """
            delete from {table} where ctid = any (array(
                select ctid from {table} where {own} {time} < current_timestamp - ? * interval '1 millisecond'
                 order by {time} limit ?))""";

    /** Ordered by all columns of the index: for a delete, the database does not infer that the consumer is constant. */
    private static final String PURGE_MARIADB = """
            delete from {table} where {own} {time} < timestampadd(microsecond, -1000 * ?, current_timestamp(6))
             order by {index_columns} limit ?""";

    private static final String PURGE_H2 = """
            delete from {table} where {own} {time} < dateadd('MILLISECOND', -?, current_timestamp)
             fetch first ? rows only""";

    private static final String CREATE_WAYBILL = """
            create table if not exists {table} (
                consumer varchar(100) not null,
                event_id varchar(255) not null,
                handled_at {timestamp} not null,
                primary key (consumer, event_id))""";
    private static final String CREATE_PROCESSED = """
            create table if not exists {table} (
                event_id uuid not null primary key,
                processed_at {timestamp} not null,
                event_type varchar(255),
                source varchar(255))""";
    private static final String CREATE_GROUPS = """
            create table if not exists {table} (
                consumer_group varchar(100) not null,
                event_id varchar(255) not null,
                entity_id varchar(255),
                entity_version bigint,
                processed_at {timestamp} not null,
                primary key (consumer_group, event_id))""";
    private static final String CREATE_INDEX = "create index if not exists {index} on {table} ({index_columns})";
    /** An earlier version had this index on the time alone. */
    private static final String DROP_OLD_INDEX = "drop index if exists {old_index}";

    private static final String CREATE_VERSIONS = """
            create table if not exists waybill_inbox_version (
                consumer varchar(100) not null,
                entity varchar(255) not null,
                version bigint not null,
                primary key (consumer, entity))""";

    private final TableDialect dialect;
    private final String mark;
    private final String find;

    /** Selects the event id and the consumer of a mark. For layouts with a consumer. */
    final String recorded;

    private final Optional<String> markAll;

    final String lastVersion = LAST_VERSION;
    final String firstVersion;
    final String nextVersion = NEXT_VERSION;
    final String purge;
    /** Creates missing tables and indexes. */
    final List<String> create;

    /** The columns of the key. */
    final List<String> keys;

    InboxSql(InboxLayout layout, TableDialect dialect) {
        this.dialect = dialect;
        String insert = switch (layout.form()) {
            case WAYBILL -> MARK_WAYBILL;
            case PROCESSED_EVENTS -> MARK_PROCESSED;
            case CONSUMER_GROUPS -> MARK_GROUPS;
        };
        this.mark = named(
                switch (dialect) {
                    case POSTGRESQL -> STAMPED_POSTGRESQL;
                    case MARIADB -> STAMPED_MARIADB;
                    case H2 -> STAMPED_H2;
                },
                insert,
                layout,
                dialect);
        this.find = named(
                switch (dialect) {
                    case POSTGRESQL -> FIND_POSTGRESQL;
                    case MARIADB -> FIND_MARIADB;
                    case H2 -> FIND_H2;
                },
                insert,
                layout,
                dialect);
        this.markAll = dialect == TableDialect.POSTGRESQL
                ? switch (layout.form()) {
                    case WAYBILL -> Optional.of(named(MARK_ALL_WAYBILL, layout, dialect));
                    case PROCESSED_EVENTS -> Optional.of(named(MARK_ALL_PROCESSED, layout, dialect));
                    case CONSUMER_GROUPS -> Optional.empty();
                }
                : Optional.empty();
        this.recorded = named(RECORDED, layout, dialect)
                .replace("{consumer}", layout.consumerColumn().orElse("null"));
        this.firstVersion = FIRST_VERSION + (dialect == TableDialect.POSTGRESQL ? UNLESS_THERE : "");
        this.purge = named(
                switch (dialect) {
                    case POSTGRESQL -> PURGE_POSTGRESQL;
                    case MARIADB -> PURGE_MARIADB;
                    case H2 -> PURGE_H2;
                },
                layout,
                dialect);
        this.keys = layout.consumerColumn()
                .map(consumer -> List.of(consumer, "event_id"))
                .orElse(List.of("event_id"));
        String table = switch (layout.form()) {
            case WAYBILL -> CREATE_WAYBILL;
            case PROCESSED_EVENTS -> CREATE_PROCESSED;
            case CONSUMER_GROUPS -> CREATE_GROUPS;
        };
        List<String> statements = new ArrayList<>(
                List.of(tableOf(named(table, layout, dialect), dialect), named(CREATE_INDEX, layout, dialect)));
        if (layout.consumerColumn().isPresent()) {
            String of = dialect == TableDialect.MARIADB ? " on {table}" : "";
            statements.add(named(DROP_OLD_INDEX + of, layout, dialect));
        }
        statements.add(tableOf(CREATE_VERSIONS, dialect));
        this.create = List.copyOf(statements);
    }

    /** Inserts one mark and returns its stamp; on PostgreSQL nothing if there is one. */
    String mark(DescribingColumns described) {
        return described.addTo(mark);
    }

    /** Returns the stamp of a mark; nothing if there is none. On PostgreSQL it has the parameters of {@link #mark}. */
    String find(DescribingColumns described) {
        return described.addTo(find);
    }

    /** Reads the stamp that {@link #mark} or {@link #find} returned; empty text if nothing tells this mark from another. */
    String stamp(ResultSet row) throws SQLException {
        boolean identifies =
                dialect == TableDialect.POSTGRESQL || row.getMetaData().getScale(2) >= DIGITS_OF_MICROSECONDS;
        return row.getString(identifies ? 1 : 3);
    }

    /** Inserts many marks and returns the new ones with their stamp; empty if the database has no such statement. */
    Optional<String> markAll(DescribingColumns described) {
        return markAll.map(described::addTo);
    }

    /** Returns no row. */
    static String lookAt(InboxLayout layout, TableDialect dialect) {
        return named("select {time} from {table} where 1 = 0", layout, dialect);
    }

    private static String tableOf(String statement, TableDialect dialect) {
        return dialect.sql().withExactText(statement) + dialect.sql().tableOptions();
    }

    private static String named(String statement, String insert, InboxLayout layout, TableDialect dialect) {
        return named(statement.replace("{mark}", insert), layout, dialect);
    }

    private static String named(String statement, InboxLayout layout, TableDialect dialect) {
        String time = layout.form() == InboxLayout.Form.WAYBILL ? "handled_at" : "processed_at";
        String timestamp = dialect == TableDialect.MARIADB ? "timestamp(6)" : "timestamp with time zone";
        Optional<String> consumer = layout.consumerColumn();
        return statement
                .replace("{now}", dialect == TableDialect.MARIADB ? "current_timestamp(6)" : "current_timestamp")
                .replace("{own}", consumer.map(column -> column + " = ? and").orElse(""))
                .replace(
                        "{index_columns}", consumer.map(column -> column + ", ").orElse("") + time)
                .replace("{time}", time)
                .replace("{timestamp}", timestamp)
                .replace(
                        "{index}",
                        dialect.quote(indexName(layout.tableName(), consumer.isPresent() ? "_by_consumer" : "_time")))
                .replace("{old_index}", dialect.quote(indexName(layout.tableName(), "_time")))
                .replace("{table}", dialect.quote(layout.tableName()));
    }

    /** Truncated if too long, with a hash of the full name, so that indexes of two tables do not get the same name. */
    private static String indexName(String table, String suffix) {
        byte[] whole = table.getBytes(StandardCharsets.UTF_8);
        if (whole.length + suffix.length() <= MAX_NAME_BYTES) {
            return table + suffix;
        }
        String end = "_" + UUID.nameUUIDFromBytes(whole).toString().substring(0, HASH_LENGTH) + suffix;
        String stem = table;
        while (stem.getBytes(StandardCharsets.UTF_8).length + end.length() > MAX_NAME_BYTES) {
            stem = stem.substring(0, stem.offsetByCodePoints(0, stem.codePointCount(0, stem.length()) - 1));
        }
        return stem + end;
    }
}
