package dev.waybill.trials;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A primary with a journal, and a standby that follows it by streaming replication. */
final class ServerPair implements AutoCloseable {
    static final String STANDBY = "north";

    private final Deque<PostgresServer> servers = new ArrayDeque<>();
    private final String database;
    private final PostgresServer primary;
    private final PostgresServer standby;

    private ServerPair() throws SQLException {
        primary = opened(PostgresServer.start(Map.of("wal_keep_size", "512MB")));
        database = primary.createDatabase("failover");
        try (Connection connection = primary.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            JournalSchema.create(connection);
            statement.execute("create table aggregate (key text primary key, revision bigint not null)");
        }
        standby = opened(primary.startFollower(STANDBY));
    }

    static ServerPair start() throws SQLException {
        return new ServerPair();
    }

    private PostgresServer opened(PostgresServer server) {
        servers.push(server);
        return server;
    }

    /** Connects to the current primary. */
    DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + primary.port() + ",127.0.0.1:" + standby.port() + "/" + database
                + "?user=postgres&targetServerType=primary&hostRecheckSeconds=0&connectTimeout=2");
        return source;
    }

    void awaitFollowing() throws Exception {
        Await.until("the standby to follow", () -> number("select count(*) from pg_stat_replication") == 1);
    }

    /** The old primary stops when the standby has everything; nothing is lost. */
    void switchOver() {
        primary.stop();
        standby.promote();
    }

    void cutOff() throws Exception {
        standby.cutOff();
        Await.until("the standby to be cut off", () -> number("select count(*) from pg_stat_replication") == 0);
    }

    /** The old primary crashes, and data that it had not sent is lost. */
    void failOver() {
        primary.stopImmediately();
        standby.promote();
    }

    /** Starts a standby for the new primary. */
    void replaceStandby() {
        opened(standby.startFollower(STANDBY));
    }

    long number(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The events in the database after the failover. */
    Map<UUID, Committed> committed() throws SQLException {
        Map<UUID, Committed> events = new HashMap<>();
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(TrialDatabase.COMMITTED)) {
            while (row.next()) {
                events.put(row.getObject(1, UUID.class), new Committed(row.getString(2), row.getLong(3)));
            }
        }
        return events;
    }

    @Override
    public void close() {
        servers.forEach(PostgresServer::close);
    }
}
