package dev.waybill.testkit;

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

/** An empty database of one of the kinds that tables can be on. */
public class EmptyDatabase {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Database kind;
    private final DataSource dataSource;
    private final KeptConnections kept;

    public EmptyDatabase(Database kind, DataSource dataSource) {
        this.kind = kind;
        this.dataSource = dataSource;
        this.kept = new KeptConnections(dataSource, kind);
    }

    public static EmptyDatabase create(Database kind) {
        return new EmptyDatabase(kind, newSource(kind));
    }

    /** Connections to a new, empty database. */
    public static DataSource newSource(Database kind) {
        return switch (kind) {
            case POSTGRESQL -> postgres();
            case MARIADB -> mariaDb();
            case H2 -> h2("");
        };
    }

    public Database kind() {
        return kind;
    }

    public DataSource dataSource() {
        return dataSource;
    }

    public KeptConnections kept() {
        return kept;
    }

    /** Creates a schema, because creating a database takes ten times as long. */
    private static DataSource postgres() {
        String schema = "tables_" + NUMBER.incrementAndGet();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresDatabase.URL);
        source.setCurrentSchema(schema);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema " + schema);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return source;
    }

    private static final class PostgresDatabase {
        static final String URL =
                SharedPostgres.server().jdbcUrl(SharedPostgres.server().createDatabase("tables"));
    }

    private static DataSource mariaDb() {
        assumeTrue(MariaDbServer.isInstalled(), "MariaDB is not installed");
        MariaDbServer server = SharedMariaDb.server();
        return server.dataSource(server.createDatabase("tables"));
    }

    public static DataSource h2(String settings) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(
                "jdbc:h2:mem:tables" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000" + settings);
        return source;
    }

    /** Creates a role with only the right to log in. */
    public void createLogin(String role) throws SQLException {
        switch (kind) {
            case POSTGRESQL -> {
                execute("create role " + quoted(role) + " login");
                try (Connection connection = connect()) {
                    execute("grant usage on schema " + connection.getSchema() + " to " + quoted(role));
                }
            }
            case MARIADB -> execute("create user " + quoted(role));
            case H2 -> throw new IllegalArgumentException("H2 grants nothing.");
        }
    }

    /** Connections that log in as that role. */
    public DataSource as(String role) throws SQLException {
        try (Connection connection = connect()) {
            if (kind == Database.MARIADB) {
                MariaDbDataSource source = new MariaDbDataSource(
                        SharedMariaDb.server().jdbcUrl(connection.getCatalog()).replaceFirst("[?].*", ""));
                source.setUser(role);
                return source;
            }
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(connection.getMetaData().getURL());
            source.setCurrentSchema(connection.getSchema());
            source.setUser(role);
            return source;
        }
    }

    public Connection connect() throws SQLException {
        return dataSource.getConnection();
    }

    /** A connection with autocommit off and no open transaction. */
    public Connection begin() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    /** The role of a test has a plain name. */
    private String quoted(String role) {
        return kind == Database.MARIADB ? "`" + role + "`" : "\"" + role + "\"";
    }

    /** Runs each statement separately, as a person would paste them. */
    public void run(String script) throws SQLException {
        for (String statement : script.split(";\\s*\\n", -1)) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Every row, keyed by lower-case column name. */
    public List<Map<String, Object>> rows(String sql) throws SQLException {
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

    @Override
    public String toString() {
        return kind.toString();
    }
}
