package dev.waybill.server.cli;

import dev.waybill.RelayName;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** A journal in a database of its own, and relays whose luck is decided by the test. */
public final class JournalScene {
    private final PostgresServer server;
    private final String database;

    private JournalScene(PostgresServer server, String database) {
        this.server = server;
        this.database = database;
    }

    public static JournalScene create(PostgresServer server) throws SQLException {
        JournalScene scene = new JournalScene(server, server.createDatabase("cli"));
        try (Connection connection = scene.connect()) {
            JournalSchema.create(connection);
        }
        return scene;
    }

    public String url() {
        return server.jdbcUrl(database);
    }

    public String database() {
        return database;
    }

    public Connection connect() throws SQLException {
        return server.dataSource(database).getConnection();
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public long number(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Ids in the order of appending. */
    public List<String> append(String type, int count) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "insert into waybill.event (type, aggregate_type, aggregate_id, payload) select '" + type
                                + "', 'Order', i::text, '{\"secret\": \"canary-77\"}' from generate_series(1, " + count
                                + ") i returning id")) {
            while (row.next()) {
                ids.add(row.getString(1));
            }
        }
        return ids;
    }

    public RelaySession open(String relay) {
        return PostgresJournal.on(server.dataSource(database))
                .open(new RelayName(relay), new OwnerId("host 7"), Duration.ofMinutes(1))
                .orElseThrow();
    }

    /** Claims everything and settles it as told by its place, then lets the lease go. */
    public void relay(String name, IntFunction<Settlement> fate) {
        try (RelaySession session = open(name)) {
            int place = 0;
            for (Optional<Batch> batch = claim(session); batch.isPresent(); batch = claim(session)) {
                List<Settlement> settlements = new ArrayList<>();
                for (int i = 0; i < batch.get().events().size(); i++) {
                    settlements.add(fate.apply(place++));
                }
                session.settle(batch.get(), settlements);
            }
        }
    }

    private static Optional<Batch> claim(RelaySession session) {
        return session.claim(new Limits(100, 1_000_000));
    }
}
