package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;

/** A server of an older major version, which only the full check downloads. */
public final class OlderPostgres {
    private OlderPostgres() {}

    public static PostgresServer start(int majorVersion) {
        PostgresServer server = PostgresServer.startVersion(
                majorVersion, Path.of(System.getProperty("waybill.olderPostgres")), Map.of("autovacuum", "off"));
        try (var connection = server.dataSource("postgres").getConnection()) {
            assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(majorVersion);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return server;
    }
}
