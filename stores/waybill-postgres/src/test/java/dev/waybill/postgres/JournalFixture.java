package dev.waybill.postgres;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * A journal for the tests of one class, empty before each. An event's type is its name, and the letters of its name are its key:
 * {@code a1} and {@code a2} have the same key.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
public abstract class JournalFixture {
    public static final RelayName RELAY = new RelayName("relay");
    public static final OwnerId OWNER = new OwnerId("owner");
    public static final Duration LEASE = Duration.ofMinutes(5);
    public static final Limits PLENTY = new Limits(1_000, 100_000_000);
    private static final JdbcOutbox OUTBOX = JdbcOutbox.journal();

    protected final JournalDatabase database;
    private final List<RelaySession> sessions = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private ManualClock clock = new ManualClock();
    private Connection writer;

    protected JournalFixture() {
        this(JournalDatabase.create());
    }

    protected JournalFixture(JournalDatabase database) {
        this.database = database;
    }

    @BeforeEach
    protected void emptyJournal() {
        clock = new ManualClock();
        database.empty();
    }

    /** Connections first: a transaction that a failed test left open must not block the next. */
    @AfterEach
    protected void closeAll() throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
        connections.clear();
        List<RelaySession> opened = List.copyOf(sessions);
        sessions.clear();
        opened.forEach(RelaySession::close);
    }

    @AfterAll
    protected void closeWriter() throws SQLException {
        if (writer != null) {
            writer.close();
        }
    }

    protected ManualClock clock() {
        return clock;
    }

    // ---- applications

    /** A transaction, closed after the test. */
    protected Connection begin() throws SQLException {
        return tracked(database.begin());
    }

    protected Connection tracked(Connection connection) {
        connections.add(connection);
        return connection;
    }

    /** Appends in the caller's transaction. */
    public static void append(Connection transaction, String... names) {
        OUTBOX.append(transaction, Stream.of(names).map(JournalFixture::event).toList());
    }

    /** Appends in a transaction of its own. */
    protected void append(String... names) throws SQLException {
        if (writer == null) {
            writer = database.begin();
        }
        append(writer, names);
        writer.commit();
    }

    public static Event event(String name) {
        return Event.of(name).aggregate("Thing", name.replaceAll("[^a-z]", "")).payload(Payload.json("{}"));
    }

    // ---- relays

    protected PostgresJournal journal() {
        return PostgresJournal.on(database.dataSource(), options());
    }

    protected JournalOptions options() {
        return JournalOptions.defaults().clock(clock);
    }

    protected RelaySession open() {
        return open(journal());
    }

    /** A session, closed after the test. */
    protected RelaySession open(PostgresJournal journal) {
        return tracked(journal.open(RELAY, OWNER, LEASE))
                .orElseThrow(() -> new AssertionError("The lease is not free."));
    }

    protected Optional<RelaySession> tracked(Optional<RelaySession> session) {
        session.ifPresent(sessions::add);
        return session;
    }

    /** Publishes everything. */
    public static List<String> drain(RelaySession session) {
        return drain(session, PLENTY);
    }

    public static List<String> drain(RelaySession session, Limits limits) {
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(limits); batch.isPresent(); batch = session.claim(limits)) {
            published.addAll(names(batch.get()));
            publish(session, batch.get());
        }
        return published;
    }

    public static void publish(RelaySession session, Batch batch) {
        session.settle(
                batch,
                batch.events().stream()
                        .<Settlement>map(event -> Settlement.PUBLISHED)
                        .toList());
    }

    public static List<String> names(Batch batch) {
        return batch.events().stream().map(event -> event.type().toString()).toList();
    }
}
