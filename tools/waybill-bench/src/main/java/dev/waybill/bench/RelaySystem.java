package dev.waybill.bench;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.WakeSignal;
import dev.waybill.admin.Actor;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.PausableSystem;
import dev.waybill.bench.kit.Shape;
import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.servers.BenchDatabase;
import dev.waybill.bench.servers.Servers;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.EventStore;
import dev.waybill.table.TableStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A relay with its defaults, and an outbox in the same process that wakes it. */
final class RelaySystem implements PausableSystem {
    /** More relays than this in a process have less memory each. */
    private static final int FEW_RELAYS = 10;

    /** As the page about operations says for dozens of relays in a small heap. */
    private static final RelayOptions SMALL =
            RelayOptions.defaults().batch(new BatchSize(200, 1_000_000)).inFlight(new InFlight(3, 4_000_000));

    private static final Map<String, String> SMALL_BUFFERS = Map.of("batch.size", "65536", "buffer.memory", "2097152");

    private static final Actor BENCH = new Actor("bench", "");

    private final DataSource dataSource;
    private final KafkaOptions options;
    private final Backlog backlog;
    private final EventStore store;
    private final StoreAdmin admin;
    private final JdbcOutbox outbox;
    private final Variant variant;
    private final WakeSignal appended = WakeSignal.create();
    private final List<KafkaDestination> destinations = new ArrayList<>();
    private final List<Relay> relays = new ArrayList<>();
    private Shape shape = Shape.USUAL;
    private int prepared;
    private int stored;

    /** What is not a default. */
    enum Variant {
        /** The outbox in this process wakes the relay. */
        WOKEN,
        /** As if the application were another process. */
        NOT_WOKEN,
        EXACTLY_ONCE
    }

    RelaySystem(DataSource dataSource, KafkaOptions options, Backlog backlog, Variant variant) {
        this.dataSource = dataSource;
        this.options = options;
        this.backlog = backlog;
        this.variant = variant;
        OutboxOptions waking = variant == Variant.NOT_WOKEN
                ? OutboxOptions.defaults()
                : OutboxOptions.defaults().wake(appended);
        if (backlog == Backlog.JOURNAL) {
            PostgresJournal journal = PostgresJournal.on(dataSource);
            this.store = journal;
            this.admin = journal.admin();
            this.outbox = JdbcOutbox.journal(waking);
        } else {
            TableLayout layout = layout(backlog);
            TableStore table = TableStore.on(dataSource, layout);
            this.store = table;
            this.admin = table.admin();
            this.outbox = JdbcOutbox.table(layout, waking);
        }
    }

    private static TableLayout layout(Backlog table) {
        return table == Backlog.TABLE_DELETING ? BenchDatabase.DELETING : TableLayout.waybill();
    }

    @Override
    public String description() {
        return (backlog == Backlog.TABLE_DELETING ? "published: delete, otherwise defaults" : "defaults")
                + (variant == Variant.NOT_WOKEN ? ", not woken" : ", woken by the outbox in its process")
                + (variant == Variant.EXACTLY_ONCE ? ", delivery: exactly-once" : "") + ", heap "
                + (Runtime.getRuntime().maxMemory() >> 20) + " MB";
    }

    @Override
    public void vary(Shape other) {
        shape = other;
    }

    @Override
    public void prepare(int events) throws SQLException {
        prepared++;
        stored = events;
        if (backlog != Backlog.JOURNAL) {
            backlog.fill(dataSource, events, false, shape);
        } else if (shape.retained() == 0) {
            backlog.fillUnlessFull(dataSource, events, shape);
        } else {
            addToRetained(events);
        }
    }

    /** The relay's position is at the end of what is retained; new events follow. */
    private void addToRetained(int events) throws SQLException {
        if (backlog.count(dataSource) < shape.retained()) {
            backlog.fill(dataSource, shape.retained(), false, shape);
        }
        PostgresJournal fromNow =
                PostgresJournal.on(dataSource, JournalOptions.defaults().start(JournalOptions.Start.NOW));
        start(fromNow, Servers.TOPIC, 1);
        stop();
        stored = Math.toIntExact(backlog.count(dataSource));
        add(events);
    }

    @Override
    public void start(String topic) {
        for (int number = 1; number <= shape.relays(); number++) {
            start(store, topic, number);
        }
    }

    /** New relays for each backlog: on the journal they begin with the oldest event. */
    private void start(EventStore from, String topic, int number) {
        boolean small = shape.relays() > FEW_RELAYS;
        KafkaDestination destination = KafkaDestination.of(small ? withSmallBuffers() : options);
        destinations.add(destination);
        String name = "drain-" + ProcessHandle.current().pid() + "-" + prepared + "-" + number;
        RelayPlan plan = Relay.named(backlog == Backlog.JOURNAL ? name : "drain-" + backlog)
                .from(from)
                .to(destination)
                .route(Route.fixed(topic))
                .format(BenchStage.FORMAT)
                .options(small ? SMALL : RelayOptions.defaults())
                .wake(appended);
        Relay started = (variant == Variant.EXACTLY_ONCE ? plan.exactlyOnce() : plan).start();
        relays.add(started);
        long begun = System.nanoTime();
        while (started.statistics().sessions() == 0) {
            if (System.nanoTime() - begun > TimeUnit.MINUTES.toNanos(1)) {
                throw new IllegalStateException("The relay " + name + " has no session a minute after its start.");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private KafkaOptions withSmallBuffers() {
        Map<String, String> properties = new HashMap<>(options.properties());
        properties.putAll(SMALL_BUFFERS);
        return KafkaOptions.of(properties);
    }

    @Override
    public void stop() throws SQLException {
        relays.forEach(Relay::close);
        destinations.forEach(KafkaDestination::close);
        relays.clear();
        destinations.clear();
        if (backlog != Backlog.JOURNAL) {
            // Otherwise autovacuum would clean up the rows while the next system is measured.
            backlog.empty(dataSource);
        }
    }

    @Override
    public void pause() {
        relays.forEach(relay -> admin.pause(relay.name(), BENCH));
    }

    @Override
    public void add(int events) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            backlog.add(connection, stored + 1, stored + events, false, shape);
        }
        stored += events;
    }

    @Override
    public void resume() {
        relays.forEach(relay -> admin.resume(relay.name(), BENCH));
    }

    @Override
    public Optional<String> outbox() {
        return Optional.of(backlog.table());
    }

    @Override
    public Appender appender() throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return new Appender() {
            @Override
            public void append(long number) throws SQLException {
                Business.insertRow(connection, number);
                outbox.append(
                        connection,
                        Event.of("order.order.changed.v1")
                                .aggregate("Order", Business.key(number))
                                .payload(Payload.json(Business.payload(number))));
                connection.commit();
            }

            @Override
            public void close() throws SQLException {
                connection.close();
            }
        };
    }

    @Override
    public void close() throws SQLException {
        stop();
    }
}
