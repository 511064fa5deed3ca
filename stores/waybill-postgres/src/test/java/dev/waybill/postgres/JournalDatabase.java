package dev.waybill.postgres;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.KeptConnections;
import dev.waybill.testkit.SharedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with an empty journal. */
public final class JournalDatabase {
    private final PostgresServer server;
    private final String name;
    private final KeptConnections kept;

    private JournalDatabase(PostgresServer server, String name) {
        this.server = server;
        this.name = name;
        this.kept = new KeptConnections(server.dataSource(name));
    }

    public static JournalDatabase create() {
        return create(SharedPostgres.server());
    }

    public static JournalDatabase create(PostgresServer server) {
        JournalDatabase database = withoutJournal(server);
        try (Connection connection = database.connect()) {
            JournalSchema.create(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return database;
    }

    /** A database whose text has another encoding than UTF8, without a journal. */
    public static JournalDatabase inEncoding(PostgresServer server, String encoding) {
        JournalDatabase usual = withoutJournal(server);
        String name = usual.name() + "_" + encoding.toLowerCase(Locale.ROOT);
        try {
            usual.execute("create database " + name + " template template0 locale 'C' encoding '" + encoding + "'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new JournalDatabase(server, name);
    }

    public static JournalDatabase withoutJournal() {
        return withoutJournal(SharedPostgres.server());
    }

    public static JournalDatabase withoutJournal(PostgresServer server) {
        return new JournalDatabase(server, server.createDatabase("journal"));
    }

    /** Resets the journal. Deleting the few rows of a test is ten times faster than creating the tables again. */
    public void empty() {
        try {
            for (String gid : texts("select gid from pg_prepared_xacts where database = current_database()")) {
                execute("rollback prepared '" + gid + "'");
            }
            emptyTables("""
                    set lock_timeout = '20s';
                    delete from waybill.relay;
                    delete from waybill.dropped;
                    delete from waybill.event;
                    delete from waybill.audit;
                    delete from waybill.environment;
                    delete from waybill.cluster;
                    update waybill.xid_offset set value = 0, adopted_xid = 0 where adopted_xid <> 0 or value <> 0;
                    alter sequence waybill.event_seq_seq restart;
                    alter sequence waybill.epoch restart""");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void emptyTables(String sql) throws SQLException {
        Connection connection = kept.take();
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        kept.giveBack(connection);
    }

    /** Connections that are reused by many short runs. */
    public KeptConnections kept() {
        return kept;
    }

    public PostgresServer server() {
        return server;
    }

    public String name() {
        return name;
    }

    public DataSource dataSource() {
        return server.dataSource(name);
    }

    /** Logs in as another role than the superuser. */
    public DataSource dataSourceAs(String role) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.jdbcUrl(name));
        source.setUser(role);
        return source;
    }

    /** Creates a role that may log in, unless another test has: roles belong to the server. */
    public void createRole(String role) throws SQLException {
        execute("do $$ begin create role " + SqlIdentifier.quote(role)
                + " login; exception when duplicate_object then null; end $$");
    }

    public Connection connect() throws SQLException {
        return dataSource().getConnection();
    }

    /** A connection with autocommit off. */
    public Connection begin() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public long number(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The first column of every row. */
    public List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                texts.add(row.getString(1));
            }
        }
        return texts;
    }

    /** Until that many sessions wait for a lock. */
    public void awaitWaiting(int sessions) throws SQLException {
        Await.until(
                sessions + " sessions wait for a lock",
                () -> number("select count(distinct pid) from pg_locks where not granted") >= sessions);
    }
}
