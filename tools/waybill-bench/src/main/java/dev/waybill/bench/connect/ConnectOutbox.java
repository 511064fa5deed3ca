package dev.waybill.bench.connect;

import dev.waybill.bench.servers.Servers;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableSchema;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** An outbox table in the layout of Debezium's router, a journal with the same events, and connectors that publish them. */
final class ConnectOutbox {
    private static final String NAME = "bench_outbox";
    private static final String SLOT = "bench_connect";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String STRINGS = "org.apache.kafka.connect.storage.StringConverter";

    private static final String TABLE = """
            create table bench_outbox (
              id uuid primary key default gen_random_uuid(), aggregatetype text not null, aggregateid text not null,
              type text not null, payload jsonb, seq bigint generated always as identity unique)""";
    private static final String FILL = """
            insert into bench_outbox (aggregatetype, aggregateid, type, payload)
            select 'Order', 'order-' || (g * 7919 % 2000), 'order.order.changed.v1',
                   jsonb_build_object('orderId', 'order-' || (g * 7919 % 2000), 'revision', g, 'status', 'changed',
                                      'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90))
              from generate_series(1, ?::bigint) g""";
    private static final String COPY = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            select type, aggregatetype, aggregateid, payload::json from bench_outbox order by seq""";

    private final String jdbcUrl;
    private final DataSource dataSource;
    private final int events;

    ConnectOutbox(String jdbcUrl, int events) throws SQLException {
        this.jdbcUrl = jdbcUrl;
        this.dataSource = Servers.dataSource(jdbcUrl);
        this.events = events;
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
            statement.execute("create publication " + SLOT + " for table " + NAME + " with (publish = 'insert')");
            TableSchema.create(
                    connection,
                    TableLayout.preset("debezium")
                            .change()
                            .table(NAME)
                            .column(TableColumn.SEQUENCE, "seq")
                            .build());
        }
    }

    /**
     * Fills the table, and the journal if it is empty.
     *
     * @param withSlot whether there is a new slot, which has all rows of the table to catch up
     */
    void fill(boolean withSlot) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement fill = connection.prepareStatement(FILL)) {
            statement.execute("truncate " + NAME);
            if (withSlot) {
                statement.execute("select pg_create_logical_replication_slot('" + SLOT + "', 'pgoutput')");
            }
            fill.setInt(1, events);
            fill.executeUpdate();
            if (!isTrue(statement, "select exists (select from waybill.event)")) {
                statement.execute(COPY);
            }
            statement.execute("vacuum analyze " + NAME);
            statement.execute("checkpoint");
        }
    }

    /** Waits until the connector that has read the slot is gone. */
    void dropSlot() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (isTrue(statement, "select active from pg_replication_slots where slot_name = '" + SLOT + "'")) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("Debezium still reads its slot " + PATIENCE.toSeconds()
                            + " s after its connector was deleted.");
                }
                LockSupport.parkNanos(BETWEEN_LOOKS);
            }
            statement.execute("select pg_drop_replication_slot('" + SLOT + "')");
        }
    }

    /** Rows that are not published yet, as far as the table knows. */
    long rows() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + NAME)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static boolean isTrue(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            return row.next() && row.getBoolean(1);
        }
    }

    Map<String, String> debezium(String topic) {
        URI address = URI.create(jdbcUrl.substring("jdbc:".length()));
        Map<String, String> connector = new HashMap<>(Map.of(
                "connector.class",
                "io.debezium.connector.postgresql.PostgresConnector",
                "tasks.max",
                "1",
                "topic.prefix",
                "bench",
                "database.hostname",
                address.getHost(),
                "database.port",
                String.valueOf(address.getPort()),
                "database.dbname",
                address.getPath().substring(1),
                "database.user",
                "postgres",
                "plugin.name",
                "pgoutput",
                "slot.name",
                SLOT,
                "publication.name",
                SLOT));
        connector.putAll(Map.of(
                "publication.autocreate.mode", "disabled",
                "table.include.list", "public." + NAME,
                "snapshot.mode", "no_data",
                "max.batch.size", "8192",
                "max.queue.size", "32768",
                "poll.interval.ms", "5",
                "tombstones.on.delete", "false",
                "transforms", "outbox",
                "transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.route.topic.replacement", topic));
        connector.putAll(Map.of("key.converter", STRINGS, "value.converter", STRINGS));
        return connector;
    }

    Map<String, String> table(String topic) {
        Map<String, String> connector = waybill("connect-table", topic);
        connector.putAll(Map.of(
                "store.type", "table",
                "store.layout", "debezium",
                "store.layout.table", NAME,
                "store.layout.columns.sequence", "seq"));
        return connector;
    }

    /** @param relay a new one starts with the oldest event */
    Map<String, String> journal(String relay, String topic) {
        Map<String, String> connector = waybill(relay, topic);
        connector.putAll(Map.of("exactly.once.support", "required", "transaction.boundary", "connector"));
        return connector;
    }

    private Map<String, String> waybill(String relay, String topic) {
        return new HashMap<>(Map.of(
                "connector.class",
                "dev.waybill.connect.WaybillSourceConnector",
                "tasks.max",
                "1",
                "relay",
                relay,
                "store.url",
                jdbcUrl,
                "format",
                "debezium",
                "route.topic",
                topic,
                "value.as",
                "string",
                "key.converter",
                STRINGS,
                "value.converter",
                STRINGS));
    }
}
