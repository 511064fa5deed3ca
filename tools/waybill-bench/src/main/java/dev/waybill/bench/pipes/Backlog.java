package dev.waybill.bench.pipes;

import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Shape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The events to drain: the same events in the journal or in an outbox table with our own layout. */
public enum Backlog {
    JOURNAL("""
            insert into waybill.event (type, aggregate_type, aggregate_id, payload, headers)
            select 'order.order.changed.v1', 'Order', k.key,
                   json_build_object('orderId', k.key, 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90)),
                   case when ? then json_build_object(
                           'traceparent', '00-' || md5(g::text) || '-' || left(md5(g::text), 16) || '-01') end
              from generate_series(?::bigint, ?::bigint) g
                   cross join lateral (
                       select 'order-' || case when ? and g % 10 > 0 then 0 else g * 7919 % ?::bigint end as key) k""", """
            select seq, id, type, version, aggregate_type, aggregate_id, payload, headers, created_at
              from waybill.event where seq > ? order by seq limit ?""", "truncate waybill.event restart identity", "select count(*) from waybill.event"),

    TABLE("""
            insert into waybill_event (id, type, aggregate_type, aggregate_id, payload, headers)
            select uuidv7(), 'order.order.changed.v1', 'Order', k.key,
                   json_build_object('orderId', k.key, 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90)),
                   case when ? then json_build_object(
                           'traceparent', '00-' || md5(g::text) || '-' || left(md5(g::text), 16) || '-01') end
              from generate_series(?::bigint, ?::bigint) g
                   cross join lateral (
                       select 'order-' || case when ? and g % 10 > 0 then 0 else g * 7919 % ?::bigint end as key) k""", """
            select seq, id, type, version, aggregate_type, aggregate_id, payload, headers, created_at
              from waybill_event where seq > ? order by seq limit ?""", "truncate waybill_event restart identity", "select count(*) from waybill_event");

    /** The number of aggregates, unless told otherwise. */
    public static final int KEYS = Business.KEYS;

    private static final String DESCRIBE = "truncate bench_backlog; insert into bench_backlog values ('%s')";

    private static final int CHUNK = 50_000;

    private final String insert;
    private final String read;
    private final String empty;
    private final String count;

    Backlog(String insert, String read, String empty, String count) {
        this.insert = insert;
        this.read = read;
        this.empty = empty;
        this.count = count;
    }

    /** Reads rows after a seq, by the primary key. */
    String read() {
        return read;
    }

    public long count(DataSource dataSource) throws SQLException {
        return Long.parseLong(ask(dataSource, count));
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
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(empty);
            add(connection, 1, events, traced, shape);
        }
    }

    /** Adds events with these numbers, on disk. */
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
            statement.execute("checkpoint");
        }
    }
}
