package dev.waybill.bench.servers;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.table.TableSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** PostgreSQL, fsync on, with an empty journal and empty outbox tables. */
public final class BenchDatabase implements AutoCloseable {
    /**
     * The systems of a comparison keep their pools for the whole run. With more memory for logical decoding, the server does not write
     * the transactions of Debezium's backlog to disk once more.
     */
    private static final Map<String, String> SETTINGS = Map.of(
            "shared_buffers", "512MB",
            "max_wal_size", "4GB",
            "wal_level", "logical",
            "logical_decoding_work_mem", "256MB",
            "max_connections", "400");

    /** The name of the table of {@link #DELETING}. */
    public static final String DELETING_TABLE = "waybill_event_deleting";

    /** Our own layout, but published rows are deleted. */
    public static final TableLayout DELETING = TableLayout.waybill()
            .change()
            .table(DELETING_TABLE)
            .published(TableLayout.Published.DELETE)
            .build();

    private final PostgresServer postgres;
    private final String database;

    private BenchDatabase(PostgresServer postgres) throws SQLException {
        this.postgres = postgres;
        this.database = postgres.createDatabase("bench");
        try (Connection connection = Servers.dataSource(jdbcUrl()).getConnection()) {
            JournalSchema.create(connection);
            TableSchema.create(connection, TableLayout.waybill());
            TableSchema.create(connection, DELETING);
        }
    }

    public static BenchDatabase start() throws SQLException {
        Progress.say("starting PostgreSQL (fsync on, wal_level logical) …");
        PostgresServer postgres = PostgresServer.start(SETTINGS);
        try {
            return new BenchDatabase(postgres);
        } catch (SQLException | RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    public String jdbcUrl() {
        return postgres.jdbcUrl(database);
    }

    int port() {
        return postgres.port();
    }

    long postmaster() {
        return postgres.postmasterPid();
    }

    @Override
    public void close() {
        postgres.close();
    }
}
