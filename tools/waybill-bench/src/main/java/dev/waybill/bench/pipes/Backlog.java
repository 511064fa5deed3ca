package dev.waybill.bench.pipes;

import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Shape;
import dev.waybill.bench.servers.BenchDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The events to drain: the same events in the journal or in an outbox table with our own layout. */
public enum Backlog {
    JOURNAL("waybill.event", """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload, headers)
            select 'order.order.changed.v1', 'Order', k.key,
                   json_build_object('orderId', k.key, 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90)),
                   case when ? then json_build_object(
                           'traceparent', '00-' || md5(g::text) || '-' || left(md5(g::text), 16) || '-01') end
              from generate_series(?::bigint, ?::bigint) g
                   cross join lateral (
                       select 'order-' || case when ? and g % 10 > 0 then 0 else g * 7919 % ?::bigint end as key) k"""),

    TABLE("waybill_event", InTable.INSERT),

    /** Another table, because one whose published rows are deleted is created with other storage parameters. */
    TABLE_DELETING(BenchDatabase.DELETING_TABLE, InTable.INSERT);

    private static final class InTable {
        static final String INSERT = """
            insert into {table} (id, type, aggregate_type, aggregate_id, payload, headers)
            select uuidv7(), 'order.order.changed.v1', 'Order', k.key,
                   json_build_object('orderId', k.key, 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90)),
                   case when ? then json_build_object(
                           'traceparent', '00-' || md5(g::text) || '-' || left(md5(g::text), 16) || '-01') end
              from generate_series(?::bigint, ?::bigint) g
                   cross join lateral (
                       select 'order-' || case when ? and g % 10 > 0 then 0 else g * 7919 % ?::bigint end as key) k""";
    }

    private static final String READ = """
            select seq, id, type, version, aggregate_type, aggregate_id, payload, headers, created_at
              from {table} where seq > ? order by seq limit ?""";

    /** The number of aggregates, unless told otherwise. */
    public static final int KEYS = Business.KEYS;

    private static final String DESCRIBE = "truncate bench_backlog; insert into bench_backlog values ('%s')";

    private static final int CHUNK = 50_000;

    private final String table;
    private final String insert;

    Backlog(String table, String insert) {
        this.table = table;
        this.insert = in(table, insert);
    }

    private static String in(String table, String statement) {
        return statement.replace("{table}", table);
    }

    public String table() {
        return table;
    }

    /** Reads rows after a seq, by the primary key. */
    String read() {
        return in(table, READ);
    }

    public long count(DataSource dataSource) throws SQLException {
        return Long.parseLong(ask(dataSource, in(table, "select count(*) from {table}")));
    }

    /** Fills it as {@link #fill} does, unless it is as it would be then: reading does not change events. */
    public void fillUnlessFull(DataSource dataSource, int events, Shape shape) throws SQLException {
        String description = this + " " + events + " " + shape.keys() + " " + shape.hot();
        if (events > 0
                && ask(dataSource, "select max(description) from bench_backlog").equals(description)
                && count(dataSource) == events) {
            return;
        }
        fill(dataSource, events, false, shape);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(DESCRIBE.formatted(description));
        }
    }

    private static String ask(DataSource dataSource, String query) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    public void fill(DataSource dataSource, int events, boolean traced) throws SQLException {
        fill(dataSource, events, traced, Shape.USUAL);
    }

    /**
     * Fills the empty table with this many events, on disk.
     *
     * @param traced whether each event has the context of a sampled trace of its own
     */
    public void fill(DataSource dataSource, int events, boolean traced, Shape shape) throws SQLException {
        empty(dataSource);
        try (Connection connection = dataSource.getConnection()) {
            add(connection, 1, events, traced, shape);
        }
    }

    public void empty(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(in(table, "truncate {table} restart identity"));
        }
    }

    /**
     * Adds events with these numbers, on disk. Autovacuum would vacuum and analyse them sooner or later, in one system's drain or
     * another's.
     */
    public void add(Connection connection, int first, int last, boolean traced, Shape shape) throws SQLException {
        try (PreparedStatement inserting = connection.prepareStatement(insert);
                Statement statement = connection.createStatement()) {
            for (int from = first; from <= last; from += CHUNK) {
                inserting.setBoolean(1, traced);
                inserting.setLong(2, from);
                inserting.setLong(3, Math.min(last, from + CHUNK - 1));
                inserting.setBoolean(4, shape.hot());
                inserting.setLong(5, shape.keys());
                inserting.executeUpdate();
            }
            statement.execute(in(table, "vacuum analyze {table}"));
            statement.execute("checkpoint");
        }
    }
}
