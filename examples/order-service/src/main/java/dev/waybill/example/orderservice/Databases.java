package dev.waybill.example.orderservice;

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

/** Opens the database of a service and creates its tables. */
final class Databases {
    private static final int CONNECTIONS = 5;

    private Databases() {}

    static DataSource open(String url, String schema) throws IOException, SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        DataSource database = new HikariDataSource(config);
        try (InputStream script = Objects.requireNonNull(Databases.class.getResourceAsStream("/" + schema), schema);
                Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        return database;
    }
}
