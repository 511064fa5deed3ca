package dev.waybill.bench;

import dev.waybill.format.Format;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The relay itself, with its defaults; a new one each time, so that each begins with the oldest event. */
final class JournalDrain implements Contender {
    private final DataSource dataSource;
    private final Destination destination;
    private final Route route;
    private final Format format;
    private final int events;
    private int runs;
    private @Nullable Relay relay;

    JournalDrain(DataSource dataSource, Destination destination, Route route, Format format, int events) {
        this.dataSource = dataSource;
        this.destination = destination;
        this.route = route;
        this.format = format;
        this.events = events;
    }

    @Override
    public String name() {
        return "journal";
    }

    /** The journal is as it was: reading it changes nothing. */
    @Override
    public void prepare() {}

    @Override
    public void drain() {
        RelayPlan plan = RelayPlan.named("drain-" + ++runs)
                .from(PostgresJournal.on(dataSource))
                .to(destination)
                .route(route)
                .format(format);
        relay = Relay.start(plan);
        while (relay.statistics().published() < events) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void putAway() {
        if (relay != null) {
            relay.close();
        }
    }

    @Override
    public void close() {
        destination.close();
    }
}
