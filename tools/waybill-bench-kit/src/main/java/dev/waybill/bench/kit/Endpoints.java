package dev.waybill.bench.kit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The servers of a run, and how to use them.
 *
 * @param jdbcUrl of PostgreSQL, with the user
 * @param producerProperties a file with the properties of Kafka's producer, the same for every system
 * @param handlers how many events a system that awaits each send handles at a time
 */
public record Endpoints(String jdbcUrl, Path producerProperties, int handlers) {
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl);
    }

    long count(String table) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** A pool with this many connections. */
    public HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    public Map<String, Object> producer() throws IOException {
        Properties properties = new Properties();
        try (Reader file = Files.newBufferedReader(producerProperties, StandardCharsets.UTF_8)) {
            properties.load(file);
        }
        Map<String, Object> producer = new HashMap<>();
        properties.forEach((name, value) -> producer.put((String) name, value));
        return producer;
    }
}
