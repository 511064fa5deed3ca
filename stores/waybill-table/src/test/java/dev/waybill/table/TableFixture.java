package dev.waybill.table;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.ManualClock;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** An outbox table with its relay. */
final class TableFixture implements AutoCloseable {
    static final RelayName RELAY = new RelayName("relay");
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Limits PLENTY = new Limits(1_000, 10_000_000);

    final LayoutDatabase database;
    final TableLayout layout;
    final ManualClock clock = new ManualClock();
    final AtomicLong nanos = new AtomicLong();
    private final List<RelaySession> sessions = new ArrayList<>();
    private TableOptions options = TableOptions.defaults().clock(clock).nanoTime(nanos::get);

    TableFixture(TableDialect dialect, TableLayout layout) throws SQLException {
        this(LayoutDatabase.create(dialect), layout);
    }

    TableFixture(LayoutDatabase database, TableLayout layout) throws SQLException {
        this.database = database;
        this.layout = layout;
        database.create(layout);
    }

    TableFixture with(Function<TableOptions, TableOptions> change) {
        options = change.apply(options);
        return this;
    }

    TableStore store() {
        return store(database.dataSource());
    }

    TableStore store(DataSource source) {
        return TableStore.on(source, layout, options);
    }

    RelaySession open(String owner) {
        RelaySession session = store().open(RELAY, new OwnerId(owner), LEASE).orElseThrow();
        sessions.add(session);
        return session;
    }

    void passNanos(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    Event event(String key) {
        return Event.of("thing.happened.v1")
                .aggregate("Thing", aggregateId(key))
                .payload(Payload.json("{\"key\":\"" + key + "\"}"));
    }

    String aggregateId(String key) {
        return switch (layout.aggregateIdKind()) {
            case TEXT -> key;
            case UUID ->
                UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
            case NUMBER -> Integer.toUnsignedString(key.hashCode());
        };
    }

    /** @return the event's id */
    String append(String key) throws SQLException {
        try (Connection connection = database.begin()) {
            String id = append(connection, key);
            connection.commit();
            return id;
        }
    }

    String append(Connection transaction, String key) {
        Event event = event(key);
        JdbcOutbox.table(layout).append(transaction, event);
        return event.id();
    }

    void appendMany(int count) throws SQLException {
        append(IntStream.range(0, count).mapToObj(i -> "k" + i % 100).toList());
    }

    /** One event of each key, in one transaction. */
    void append(List<String> keys) throws SQLException {
        try (Connection connection = database.begin()) {
            JdbcOutbox.table(layout)
                    .append(connection, keys.stream().map(this::event).toList());
            connection.commit();
        }
    }

    /** Copies the only row of a table until there are this many, with different ids. */
    void multiply(int rows) throws SQLException {
        LayoutNames names = new LayoutNames(layout, database.dialect());
        String columns = String.join(
                ", ",
                layout.columns().entrySet().stream()
                        .filter(column -> column.getKey() != TableColumn.ID && column.getKey() != TableColumn.SEQUENCE)
                        .map(column -> database.dialect().quote(column.getValue()))
                        .toList());
        String id = switch (database.dialect()) {
            case POSTGRESQL ->
                layout.idKind() == TableLayout.IdKind.UUID ? "gen_random_uuid()" : "gen_random_uuid()::text";
            case MARIADB -> "uuid()";
            case H2 -> "random_uuid()";
        };
        for (int have = 1; have < rows; have = Math.min(rows, 2 * have)) {
            database.execute(names.in("insert into {table} ({id}, " + columns + ") select " + id + ", " + columns
                    + " from {table} order by {created_at} limit " + Math.min(have, rows - have)));
        }
    }

    static List<String> ids(Batch batch) {
        return batch.events().stream()
                .map(StoredEvent::id)
                .map(Object::toString)
                .toList();
    }

    static void publish(RelaySession session, Batch batch) {
        session.settle(batch, Collections.nCopies(batch.events().size(), Settlement.PUBLISHED));
    }

    /** Publishes until no batch is left; events in the script get its settlements. */
    static List<String> drain(RelaySession session, Map<String, Settlement> script) {
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(PLENTY); batch.isPresent(); batch = session.claim(PLENTY)) {
            List<Settlement> settlements = new ArrayList<>();
            for (String id : ids(batch.get())) {
                Settlement settlement = script.getOrDefault(id, Settlement.PUBLISHED);
                settlements.add(settlement);
                if (settlement instanceof Settlement.Published) {
                    published.add(id);
                }
            }
            session.settle(batch.get(), settlements);
        }
        return published;
    }

    static List<String> drain(RelaySession session) {
        return drain(session, Map.of());
    }

    Settlement.RetryAt retryIn(Duration wait) {
        return new Settlement.RetryAt(clock.instant().plus(wait), "the broker said no");
    }

    Map<String, Object> row(String id) throws SQLException {
        LayoutNames names = new LayoutNames(layout, database.dialect());
        return database.rows(names.in("select * from {table} where {id} = '" + id + "'"))
                .get(0);
    }

    void execute(String sql) throws SQLException {
        database.execute(new LayoutNames(layout, database.dialect()).in(sql));
    }

    @Override
    public void close() {
        sessions.forEach(RelaySession::close);
    }
}
