package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.StoreAdmin;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.server.cli.JournalScene;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.StoreException;
import dev.waybill.table.TableSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The password of a role is changed while a process runs. */
class RotatedPasswordTest {
    private static final String FILE = """
            stores:
              orders: { type: %s, url: "%s", user: rotated, password: "${file:password}" }
            destinations:
              away: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
            relays:
              main: { store: orders, destination: away }
            """;

    @TempDir
    private Path directory;

    private final Secrets secrets = new Secrets();

    @Test
    void of_postgresql_from_a_file_is_read_again_for_each_connection() throws Exception {
        Path rules = Files.writeString(
                directory.resolve("pg_hba.conf"),
                "host all rotated 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n");
        try (PostgresServer server = PostgresServer.start(Map.of("hba_file", rules.toString()))) {
            JournalScene journal = JournalScene.create(server);
            journal.execute("create role rotated superuser login password 'first-horse'");
            rotate(
                    "postgres-journal",
                    journal.url().replaceFirst("[?].*", ""),
                    () -> journal.execute("alter role rotated password 'second-horse'"));
        }
    }

    @Test
    void of_any_other_driver_from_a_file_is_read_again_for_each_connection() throws Exception {
        String url = "jdbc:h2:mem:rotated;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "owner", "");
                Statement statement = connection.createStatement()) {
            TableSchema.create(connection, TableLayout.waybill());
            statement.execute("create user rotated password 'first-horse' admin");
            rotate(
                    "table, layout: waybill",
                    url,
                    () -> statement.execute("alter user rotated set password 'second-horse'"));
            statement.execute("shutdown");
        }
    }

    private interface Change {
        void run() throws SQLException;
    }

    private void rotate(String store, String url, Change change) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "first-horse\n");
        Path configuration = Files.writeString(directory.resolve("waybill.yaml"), FILE.formatted(store, url));
        try (Installation installation = Installation.read(configuration, secrets)) {
            StoreAdmin admin = installation.admin("orders");
            assertThat(admin.relays()).isEmpty();
            change.run();
            assertThatExceptionOfType(StoreException.class).isThrownBy(admin::relays);
            Files.writeString(file, "second-horse\n");
            assertThat(admin.relays()).isEmpty();
            assertThat(secrets.hide("it was first-horse and is second-horse"))
                    .as("the new one is as secret")
                    .doesNotContain("horse");
            Files.delete(file);
            assertThat(admin.relays())
                    .as("with the last one that could be read")
                    .isEmpty();
        }
    }
}
