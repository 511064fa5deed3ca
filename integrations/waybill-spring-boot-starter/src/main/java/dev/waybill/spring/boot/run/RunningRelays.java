package dev.waybill.spring.boot.run;

import dev.waybill.RelayName;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.spi.Destination;
import dev.waybill.spring.boot.store.WaybillStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relays of the application. They start with the application's context, before its web server, and stop after the web server
 * and the consumers, so that events of the last requests are published. Each runs on threads of its own and fails alone: a
 * database or a broker that is unavailable does not prevent the application from starting. A context that is paused and
 * restarted has new relays. Safe for use by many threads.
 */
public final class RunningRelays extends RunWithContext {
    private static final Logger log = LoggerFactory.getLogger(RunningRelays.class);

    private final Map<String, PlannedRelay> planned = new TreeMap<>();
    private final Observers observers;
    private final Map<String, Running> running = new TreeMap<>();

    /** A relay and its own connection. */
    private record Running(Relay relay, Destination destination) {
        void close() {
            try {
                relay.close();
            } finally {
                destination.close();
            }
        }
    }

    RunningRelays(Collection<PlannedRelay> relays, Observers observers, BooleanSupplier autoStartup) {
        super("relays", PHASE, autoStartup);
        relays.forEach(relay -> planned.put(relay.name(), relay));
        this.observers = observers;
    }

    /**
     * The last phase of a stop that matters: the web server answers open requests in the phase 1024 below the default, ends in the
     * one 2048 below it, and consumers in the one 3072 below it. Executors end later.
     */
    static final int PHASE = DEFAULT_PHASE - 4096;

    /**
     * A relay of the application as it is now.
     *
     * @param relay empty if it does not run
     */
    public record Status(String name, WaybillStore store, String destination, Optional<Relay> relay) {
        public boolean alive() {
            return relay.map(Relay::isAlive).orElse(false);
        }

        public Optional<RelayStatistics> statistics() {
            return relay.map(Relay::statistics);
        }

        public Optional<Duration> failingFor() {
            return relay.flatMap(Relay::failingFor);
        }
    }

    @Override
    void startAll() {
        if (planned.isEmpty()) {
            log.warn(
                    "No relay runs in this application, because it has no broker: its events wait. Add a module such as waybill-kafka"
                            + " with spring-boot-kafka, or set waybill.auto-startup=false if another process publishes them.");
        }
        planned.values().stream().filter(PlannedRelay::autoStartup).forEach(this::start);
    }

    private synchronized void start(PlannedRelay relay) {
        try {
            Destination destination = relay.destination().broker().connect();
            try {
                running.put(
                        relay.name(),
                        new Running(
                                observers.start(
                                        relay.plan(destination),
                                        relay.destination().broker()),
                                destination));
            } catch (Throwable e) {
                destination.close();
                throw e;
            }
            log.info(
                    "Relay {} runs: from store {} to {}.",
                    relay.name(),
                    relay.store().name(),
                    relay.destination().name());
        } catch (RuntimeException e) {
            log.error(
                    "Relay {} does not run, and events of store {} wait; other relays continue.",
                    relay.name(),
                    relay.store().name(),
                    e);
            observers.failed(new RelayName(relay.name()));
        }
    }

    @Override
    synchronized List<Runnable> takeAll() {
        List<Runnable> closing =
                running.values().stream().<Runnable>map(relay -> relay::close).toList();
        running.clear();
        return closing;
    }

    public synchronized List<Status> statuses() {
        List<Status> statuses = new ArrayList<>();
        planned.values().forEach(relay -> {
            statuses.add(new Status(
                    relay.name(),
                    relay.store(),
                    relay.destination().name(),
                    Optional.ofNullable(running.get(relay.name())).map(Running::relay)));
        });
        return statuses;
    }

    /** The store of a relay of this application. */
    public Optional<WaybillStore> storeOf(String relay) {
        return Optional.ofNullable(planned.get(relay)).map(PlannedRelay::store);
    }

    /**
     * A plan like that of the relay, over a connection of its own.
     *
     * @param destination a new connection, which the caller closes
     */
    RelayPlan planOf(String relay, Destination destination) {
        PlannedRelay like = plannedRelay(relay);
        return observers.with(like.plan(destination), like.destination().broker());
    }

    Destination connectLike(String relay) {
        return plannedRelay(relay).destination().broker().connect();
    }

    private PlannedRelay plannedRelay(String relay) {
        PlannedRelay found = planned.get(relay);
        if (found == null) {
            throw new IllegalArgumentException(
                    "There is no relay " + relay + " in this application, only " + planned.keySet() + ".");
        }
        return found;
    }

    /**
     * Relays that do not run although they should, or that have been failing for a while.
     *
     * @param notReadyAfter how long a relay may fail
     * @return a description for each such relay
     */
    public synchronized Map<String, String> problems(Duration notReadyAfter) {
        Map<String, String> problems = new TreeMap<>();
        if (!isRunning()) {
            return problems;
        }
        planned.values().stream().filter(PlannedRelay::autoStartup).forEach(relay -> {
            Running now = running.get(relay.name());
            if (now == null || !now.relay().isAlive()) {
                problems.put(relay.name(), "does not run");
            } else {
                now.relay()
                        .failingFor()
                        .filter(time -> time.compareTo(notReadyAfter) >= 0)
                        .ifPresent(
                                time -> problems.put(relay.name(), "has been failing for " + time.toSeconds() + " s"));
            }
        });
        return problems;
    }
}
