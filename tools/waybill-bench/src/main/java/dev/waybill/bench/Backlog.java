package dev.waybill.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The events to drain: the same events in the journal or in an outbox table with our own layout. */
enum Backlog {
    JOURNAL("""
            insert into waybill.event (type, aggregate_type, aggregate_id, payload, headers)
            select 'order.order.changed.v1', 'Order', 'order-' || (g * 7919 % 2000),
                   json_build_object('orderId', 'order-' || (g * 7919 % 2000), 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90)),
                   case when ? then json_build_object(
                           'traceparent', '00-' || md5(g::text) || '-' || left(md5(g::text), 16) || '-01') end
              from generate_series(?::bigint, ?::bigint) g""", """
            select seq, id, type, version, aggregate_type, aggregate_id, payload, headers, created_at
              from waybill.event where seq > ? order by seq limit ?""", "truncate waybill.event restart identity", "select count(*) from waybill.event"),

    TABLE("""
            insert into waybill_event (id, type, aggregate_type, aggregate_id, payload, headers)
            select uuidv7(), 'order.order.changed.v1', 'Order', 'order-' || (g * 7919 % 2000),
                   json_build_object('orderId', 'order-' || (g * 7919 % 2000), 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90)),
                   case when ? then json_build_object(
                           'traceparent', '00-' || md5(g::text) || '-' || left(md5(g::text), 16) || '-01') end
              from generate_series(?::bigint, ?::bigint) g""", """
            select seq, id, type, version, aggregate_type, aggregate_id, payload, headers, created_at
              from waybill_event where seq > ? order by seq limit ?""", "truncate waybill_event restart identity", "select count(*) from waybill_event");

    /** The number of aggregates, as in the statements. */
    static final int KEYS = 2_000;

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

    /** Fills it as {@link #fill} does, unless it has this many events: reading does not change them. */
    void fillUnlessFull(DataSource dataSource, int events) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(count)) {
            row.next();
            if (row.getLong(1) == events && events > 0) {
                return;
            }
        }
        fill(dataSource, events, false);
    }

    /**
     * Fills the empty table with this many events, on disk.
     *
     * @param traced whether each event has the context of a sampled trace of its own
     */
    void fill(DataSource dataSource, int events, boolean traced) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement inserting = connection.prepareStatement(insert);
                Statement statement = connection.createStatement()) {
            statement.execute(empty);
            for (int from = 1; from <= events; from += CHUNK) {
                inserting.setBoolean(1, traced);
                inserting.setLong(2, from);
                inserting.setLong(3, Math.min(events, from + CHUNK - 1));
                inserting.executeUpdate();
            }
            statement.execute("checkpoint");
        }
    }
}
