package dev.waybill.bench.systems;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The servers of a run.
 *
 * @param jdbcUrl as the measured systems reach PostgreSQL
 * @param bootstrapServers as the measured systems reach Kafka
 * @param postmaster the process of PostgreSQL, for its CPU time
 * @param folder for files that the bench and the systems exchange
 */
public record Stage(String jdbcUrl, String bootstrapServers, long postmaster, Path folder) {
    Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl);
    }

    Path producerProperties() {
        return folder.resolve("producer.properties");
    }
}
