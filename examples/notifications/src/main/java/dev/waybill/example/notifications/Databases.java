package dev.waybill.example.notifications;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;

/** Opens a database and creates its tables. */
final class Databases {
    private static final int CONNECTIONS = 5;
    private static final int PATIENCE_MILLIS = 3_000;

    private Databases() {}

    static DataSource open(String url, String schema) throws IOException, SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        // While the database is away, a request is refused soon, and this process waits for the database at its start.
        config.setConnectionTimeout(PATIENCE_MILLIS);
        config.setInitializationFailTimeout(-1);
        DataSource database = new HikariDataSource(config);
        try (Connection connection = firstConnection(database);
                Statement statement = connection.createStatement()) {
            for (String create : script(schema).split(";\n", -1)) {
                statement.execute(create);
            }
        }
        return database;
    }

    private static Connection firstConnection(DataSource database) {
        while (true) {
            try {
                return database.getConnection();
            } catch (SQLException e) {
                System.err.println("The database is away: " + e.getMessage());
            }
        }
    }

    private static String script(String name) throws IOException {
        try (InputStream script = Objects.requireNonNull(Databases.class.getResourceAsStream("/" + name), name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
