package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.RelayName;
import dev.waybill.RetryPolicy;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.embedded.MariaDbServer;
import dev.waybill.format.Format;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A table as specified, created and filled with plain SQL, a relay to a broker, and checks of the relay's changes in every
 * column.
 */
final class TableScene implements AutoCloseable {
    /** Retry policy while a topic is missing. */
    static final RetryPolicy PATIENT = new RetryPolicy(100_000, Duration.ofMillis(100), 1, Duration.ofMillis(100));

    static final RetryPolicy TWICE = new RetryPolicy(2, Duration.ofMillis(50), 1, Duration.ofMillis(50));
    /** A payload with unusual formatting, and with a value that must not appear in any error. */
    static final String PAYLOAD = " {\"total\" : 1.10, \"note\":\"SECRET\"} ";

    private static final RelayName RELAY = new RelayName("table");

    private final DataSource dataSource;
    private final TableLayout layout;
    private final String table;
    private final Format format;
    private final Map<String, Map<String, String>> before = new LinkedHashMap<>();
    private @Nullable Destination destination;
    private @Nullable Relay relay;

    /**
     * @param table its name in plain SQL
     */
    TableScene(DataSource dataSource, TableLayout layout, String table, Format format) {
        this.dataSource = dataSource;
        this.layout = layout;
        this.table = table;
        this.format = format;
    }

    static DataSource onPostgres() {
        return TrialServers.postgres().dataSource(TrialServers.postgres().createDatabase("layout"));
    }

    static DataSource onMariaDb() {
        assumeTrue(MariaDbServer.isInstalled(), "MariaDB is not installed");
        return TrialServers.mariaDb().dataSource(TrialServers.mariaDb().createDatabase("layout"));
    }

    /** Runs the statements of the specification, then creates Waybill's side tables. */
    void create(String... statements) throws SQLException {
        execute(statements);
        try (Connection connection = dataSource.getConnection()) {
            TableSchema.Created created = TableSchema.create(connection, layout);
            assertThat(created.table()).as("the table was there").isFalse();
        }
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Appends rows and remembers their columns. */
    void append(String... inserts) throws SQLException {
        execute(inserts);
        rows().forEach(before::putIfAbsent);
    }

    /** Starts a relay to Kafka. */
    void startRelay(RetryPolicy retry, Route route) {
        startRelay(RelayOptions.defaults().retry(retry), route);
    }

    void startRelay(RelayOptions options, Route route) {
        KafkaOptions kafka = KafkaOptions.of(
                        Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers()))
                .topicTimeout(Duration.ofMillis(300))
                .deliveryTimeout(options.countOutages() ? Duration.ofSeconds(1) : KafkaOptions.DELIVERY_TIMEOUT);
        startRelay(KafkaDestination.of(kafka), options, route);
    }

    /**
     * @param to is closed with the scene
     */
    void startRelay(Destination to, RelayOptions options, Route route) {
        destination = to;
        relay = Relay.named(RELAY.value())
                .from(TableStore.on(dataSource, layout))
                .to(to)
                .route(route)
                .format(format)
                .options(options)
                .start();
    }

    void stopRelay() {
        if (relay != null) {
            relay.close();
            relay = null;
        }
        if (destination != null) {
            destination.close();
            destination = null;
        }
    }

    /** The administration's view of an unpublished row. */
    ParkedEvent parked(String id) {
        return allParked().stream()
                .filter(event -> event.eventId().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError(id + " is not parked."));
    }

    void awaitDead(String id) throws Exception {
        Await.until(
                id + " to be dead",
                () -> allParked().stream()
                        .anyMatch(event -> event.eventId().equals(id) && event.state() == ParkedState.DEAD));
    }

    void requeue(String id) {
        admin().requeue(RELAY, Selection.of(id), new Actor("trial", "the cause is mended"));
    }

    private List<ParkedEvent> allParked() {
        return admin().parked(ParkedQuery.of(RELAY));
    }

    private StoreAdmin admin() {
        return TableStore.on(dataSource, layout).admin();
    }

    /** Waits until the column has this value. */
    void await(String id, String column, String value) throws Exception {
        Await.until(column + " = " + value + " of " + id, () -> value.equals(row(id).get(column)));
    }

    void awaitFilled(String id, String column) throws Exception {
        Await.until(column + " of " + id, () -> row(id).get(column) != null);
    }

    Map<String, String> row(String id) throws SQLException {
        Map<String, String> row = rows().get(id);
        if (row == null) {
            throw new AssertionError("There is no row " + id + ".");
        }
        return row;
    }

    /** The columns that have changed since the append, with their current values. */
    private Map<String, String> changes(String id) throws SQLException {
        Map<String, String> changes = new TreeMap<>(row(id));
        before.get(id).forEach((column, value) -> {
            if (Objects.equals(value, changes.get(column))) {
                changes.remove(column);
            }
        });
        return changes;
    }

    /** Asserts that exactly these columns changed. */
    void assertChanged(String id, String... columns) throws SQLException {
        assertThat(changes(id).keySet()).as("changed columns of " + id).containsExactlyInAnyOrder(columns);
    }

    void assertUnchanged(String id) throws SQLException {
        assertThat(changes(id)).as("changed columns of " + id).isEmpty();
    }

    void assertError(String id, String column, String words) throws SQLException {
        assertThat(row(id).get(column)).contains(words).doesNotContain("SECRET");
    }

    /** Number of rows that match the condition. */
    long count(String condition) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table + " where " + condition)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** All rows by their id, each column as text. */
    private Map<String, Map<String, String>> rows() throws SQLException {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        String id = layout.column(TableColumn.ID).orElseThrow();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from " + table)) {
            while (row.next()) {
                Map<String, String> columns = new LinkedHashMap<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    columns.put(row.getMetaData().getColumnName(i), row.getString(i));
                }
                rows.put(columns.get(id), columns);
            }
        }
        return rows;
    }

    @Override
    public void close() {
        stopRelay();
    }
}
