package dev.waybill.connect;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.RelayStatus;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.testkit.SharedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A database with an empty journal, and a connector's configuration for it. */
final class Journal {
    static final String RELAY = "orders";
    static final String TYPE = "order.placed";

    private final PostgresServer server;
    private final String database;
    private final JdbcOutbox outbox = JdbcOutbox.journal();

    Journal() {
        this(SharedPostgres.server());
    }

    Journal(PostgresServer server) {
        this.server = server;
        this.database = server.createDatabase("connect");
        try (Connection connection = connect()) {
            JournalSchema.create(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    String url() {
        return server.jdbcUrl(database);
    }

    /** Of a connector that delivers exactly once where Connect makes transactions. */
    Map<String, String> configuration() {
        return new HashMap<>(Map.of(
                "relay", RELAY,
                "store.url", url(),
                "value.as", "string",
                "lease.ms", "1000",
                "poll.max-idle.ms", "50",
                "key.converter", "org.apache.kafka.connect.storage.StringConverter",
                "value.converter", "org.apache.kafka.connect.storage.StringConverter",
                "transaction.boundary", "connector"));
    }

    Connection connect() throws SQLException {
        return server.dataSource(database).getConnection();
    }

    /** Appends an event whose payload is a number. */
    void append(String key, int number) {
        append(Event.of(TYPE).aggregate("order", key).payload(Payload.json(Integer.toString(number))));
    }

    void append(Event... events) {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            outbox.append(connection, events);
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> texts(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (row.next()) {
                texts.add(row.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Events that the relay has not published yet. */
    long backlog() {
        return PostgresJournal.on(server.dataSource(database)).admin().relays().stream()
                .mapToLong(RelayStatus::backlog)
                .sum();
    }

    /** The errors of dead events. */
    List<String> dead() {
        return texts("select error from waybill.parked where state = 'dead' order by seq");
    }
}
