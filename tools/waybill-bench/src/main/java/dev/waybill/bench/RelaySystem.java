package dev.waybill.bench;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.WakeSignal;
import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Business;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.route.Route;
import dev.waybill.spi.EventStore;
import dev.waybill.table.TableStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A relay with its defaults, and an outbox in the same process that wakes it. */
final class RelaySystem implements BenchSystem {
    private final DataSource dataSource;
    private final KafkaOptions options;
    private final Backlog backlog;
    private final EventStore store;
    private final JdbcOutbox outbox;
    private final WakeSignal appended = WakeSignal.create();
    private int starts;
    private @Nullable KafkaDestination destination;
    private @Nullable Relay relay;

    private RelaySystem(
            DataSource dataSource,
            KafkaOptions options,
            Backlog backlog,
            EventStore store,
            Function<OutboxOptions, JdbcOutbox> outbox) {
        this.dataSource = dataSource;
        this.options = options;
        this.backlog = backlog;
        this.store = store;
        this.outbox = outbox.apply(OutboxOptions.defaults().wake(appended));
    }

    static RelaySystem journal(DataSource dataSource, KafkaOptions options) {
        return new RelaySystem(
                dataSource, options, Backlog.JOURNAL, PostgresJournal.on(dataSource), JdbcOutbox::journal);
    }

    static RelaySystem table(DataSource dataSource, KafkaOptions options) {
        return new RelaySystem(
                dataSource,
                options,
                Backlog.TABLE,
                TableStore.on(dataSource, TableLayout.waybill()),
                outboxOptions -> JdbcOutbox.table(TableLayout.waybill(), outboxOptions));
    }

    @Override
    public String description() {
        return "defaults, heap " + (Runtime.getRuntime().maxMemory() >> 20) + " MB";
    }

    @Override
    public void prepare(int events) throws SQLException {
        if (backlog == Backlog.JOURNAL) {
            backlog.fillUnlessFull(dataSource, events);
        } else {
            backlog.fill(dataSource, events, false);
        }
    }

    /** A new relay each time: on the journal it begins with the oldest event. */
    @Override
    public void start(String topic) {
        KafkaDestination created = KafkaDestination.of(options);
        destination = created;
        String name = "drain-" + ProcessHandle.current().pid() + "-" + ++starts;
        Relay started = Relay.named(backlog == Backlog.JOURNAL ? name : "drain")
                .from(store)
                .to(created)
                .route(Route.fixed(topic))
                .format(BenchStage.FORMAT)
                .wake(appended)
                .start();
        relay = started;
        while (started.statistics().sessions() == 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void stop() {
        if (relay != null) {
            relay.close();
        }
        if (destination != null) {
            destination.close();
        }
        relay = null;
        destination = null;
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
    public void close() {
        stop();
    }
}
