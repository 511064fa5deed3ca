package dev.waybill.bench;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.JournalSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** PostgreSQL, fsync on, with a journal. */
final class JournalDatabase implements AutoCloseable {
    /** How many aggregates the events of {@link #fill} belong to; the statement says the same. */
    static final int KEYS = 2_000;

    private static final int CHUNK = 50_000;
    private static final String FILL = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            select 'order.order.changed.v1', 'Order', 'order-' || (g * 7919 % 2000),
                   json_build_object('orderId', 'order-' || (g * 7919 % 2000), 'revision', g, 'status', 'changed',
                                     'total', '129.90', 'note', 'leave it with the neighbours at number ' || (g % 90))
              from generate_series(?::bigint, ?::bigint) g""";

    private final PostgresServer postgres;
    private final String database;

    private JournalDatabase(PostgresServer postgres) throws SQLException {
        this.postgres = postgres;
        this.database = postgres.createDatabase("bench");
        try (Connection connection = Servers.dataSource(jdbcUrl()).getConnection()) {
            JournalSchema.create(connection);
        }
    }

    static JournalDatabase start() throws SQLException {
        Progress.say("starting PostgreSQL (fsync on) …");
        PostgresServer postgres = PostgresServer.start(Map.of("shared_buffers", "512MB", "max_wal_size", "4GB"));
        try {
            return new JournalDatabase(postgres);
        } catch (SQLException | RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    String jdbcUrl() {
        return postgres.jdbcUrl(database);
    }

    void fill(int events) throws SQLException {
        try (Connection connection = Servers.dataSource(jdbcUrl()).getConnection();
                PreparedStatement insert = connection.prepareStatement(FILL);
                Statement statement = connection.createStatement()) {
            for (int from = 1; from <= events; from += CHUNK) {
                insert.setLong(1, from);
                insert.setLong(2, Math.min(events, from + CHUNK - 1));
                insert.executeUpdate();
                Progress.say("%,d of %,d events appended", Math.min(events, from + CHUNK - 1), events);
            }
            statement.execute("checkpoint");
        }
    }

    @Override
    public void close() {
        postgres.close();
    }
}
