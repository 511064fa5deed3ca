package dev.waybill.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.MariaDbServer;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An empty database of any kind that an outbox table can be on. */
record LayoutDatabase(TableDialect dialect, DataSource dataSource, KeptConnections kept) {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    LayoutDatabase(TableDialect dialect, DataSource dataSource) {
        this(dialect, dataSource, new KeptConnections(dataSource, dialect));
    }

    static LayoutDatabase create(TableDialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> postgres();
            case MARIADB -> mariaDb();
            case H2 -> h2("");
        };
    }

    /** A schema of its own: a database would take ten times as long. */
    private static LayoutDatabase postgres() {
        String schema = "tables_" + NUMBER.incrementAndGet();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresDatabase.URL);
        source.setCurrentSchema(schema);
        LayoutDatabase database = new LayoutDatabase(TableDialect.POSTGRESQL, source);
        try {
            database.execute("create schema " + schema);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return database;
    }

    private static final class PostgresDatabase {
        static final String URL =
                SharedPostgres.server().jdbcUrl(SharedPostgres.server().createDatabase("tables"));
    }

    private static LayoutDatabase mariaDb() {
        assumeTrue(MariaDbServer.isInstalled(), "MariaDB is not installed");
        MariaDbServer server = SharedMariaDb.server();
        return new LayoutDatabase(TableDialect.MARIADB, server.dataSource(server.createDatabase("tables")));
    }

    static LayoutDatabase h2(String settings) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(
                "jdbc:h2:mem:tables" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000" + settings);
        return new LayoutDatabase(TableDialect.H2, source);
    }

    /** A role that may log in, and do nothing else. */
    void createLogin(String role) throws SQLException {
        switch (dialect) {
            case POSTGRESQL -> {
                execute("create role " + dialect.quote(role) + " login");
                try (Connection connection = connect()) {
                    execute("grant usage on schema " + connection.getSchema() + " to " + dialect.quote(role));
                }
            }
            case MARIADB -> execute("create user " + dialect.quote(role));
            case H2 -> throw new IllegalArgumentException("H2 grants nothing.");
        }
    }

    /** Connections of that role. */
    DataSource as(String role) throws SQLException {
        try (Connection connection = connect()) {
            if (dialect == TableDialect.MARIADB) {
                MariaDbDataSource source = new MariaDbDataSource(
                        SharedMariaDb.server().jdbcUrl(connection.getCatalog()).replaceFirst("[?].*", ""));
                source.setUser(role);
                return source;
            }
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(PostgresDatabase.URL);
            source.setCurrentSchema(connection.getSchema());
            source.setUser(role);
            return source;
        }
    }

    Connection connect() throws SQLException {
        return dataSource.getConnection();
    }

    /** A connection in the middle of nothing: autocommit off. */
    Connection begin() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    TableSchema.Created create(TableLayout layout) throws SQLException {
        try (Connection connection = connect()) {
            return TableSchema.create(connection, layout);
        }
    }

    /** Each statement on its own, as a person would paste them. */
    void run(String script) throws SQLException {
        for (String statement : script.split(";\\s*\\n", -1)) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Every row, by column in small letters. */
    List<Map<String, Object>> rows(String sql) throws SQLException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            ResultSetMetaData columns = row.getMetaData();
            while (row.next()) {
                Map<String, Object> values = new LinkedHashMap<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    values.put(
                            columns.getColumnLabel(i).toLowerCase(Locale.ROOT),
                            row.getObject(i) instanceof Clob ? row.getString(i) : row.getObject(i));
                }
                rows.add(values);
            }
        }
        return rows;
    }
}
