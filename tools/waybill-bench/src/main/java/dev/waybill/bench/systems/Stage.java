package dev.waybill.bench.systems;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.LongSupplier;

/**
 * The servers of a run.
 *
 * @param jdbcUrl as the measured systems reach PostgreSQL
 * @param bootstrapServers as the measured systems reach Kafka
 * @param postmaster the process of PostgreSQL, for its CPU time
 * @param roundTrips how often a client has waited for the database so far; always 0 if nobody counts
 * @param handlers how many events a system that awaits each send handles at a time: more over a slower link
 * @param folder for files that the bench and the systems exchange
 */
public record Stage(
        String jdbcUrl, String bootstrapServers, long postmaster, LongSupplier roundTrips, int handlers, Path folder) {
    Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl);
    }

    /** Each stage has its own: several of a run use the same folder. */
    public Path producerProperties() {
        return folder.resolve(
                "producer-" + bootstrapServers.substring(bootstrapServers.lastIndexOf(':') + 1) + ".properties");
    }
}
