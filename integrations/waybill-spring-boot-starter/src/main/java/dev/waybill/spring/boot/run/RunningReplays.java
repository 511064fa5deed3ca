package dev.waybill.spring.boot.run;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.relay.Replay;
import dev.waybill.spi.Destination;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays that an operator started in this application. A replay that the application's end interrupts stays in the store, and
 * continues when it is started again under its name. Safe for use by many threads.
 */
public final class RunningReplays extends RunWithContext {
    private static final Logger log = LoggerFactory.getLogger(RunningReplays.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final RunningRelays relays;
    private final Map<String, Running> running = new TreeMap<>();

    /** A replay and its own connection. */
    private record Running(Replay replay, Destination destination) {
        void close() {
            try {
                replay.close();
            } finally {
                destination.close();
            }
        }
    }

    RunningReplays(RunningRelays relays) {
        super("replays", RunningRelays.PHASE, () -> true);
        this.relays = relays;
    }

    /**
     * Starts a replay to the destination of a relay, or continues it if it was started before.
     *
     * @param relay whose destination, route, format and options it uses
     * @throws IllegalArgumentException if there is no such relay, or its store has no replays
     * @throws IllegalStateException if the replay runs here already, or the application stops
     */
    public ReplayStatus start(RelayName name, String relay, ReplayQuery query, Actor by) {
        ReplayAdmin admin = adminOf(relay);
        ReplayStatus status = admin.replay(name).orElseGet(() -> admin.start(name, query, by));
        run(name, relay, admin);
        return status;
    }

    /** @throws IllegalArgumentException if there is no such relay, or its store has no replays */
    public ReplayAdmin adminOf(String relay) {
        return relays.storeOf(relay)
                .orElseThrow(() -> new IllegalArgumentException("There is no relay " + relay + " in this application."))
                .replays()
                .orElseThrow(() -> new IllegalArgumentException("The store of relay " + relay + " has no replays."));
    }

    private synchronized void run(RelayName name, String relay, ReplayAdmin admin) {
        if (!isRunning() || running.containsKey(name.value())) {
            throw new IllegalStateException("The replay " + name
                    + (isRunning() ? " runs here already." : " cannot run: the application stops."));
        }
        Destination destination = relays.connectLike(relay);
        try {
            Running now = new Running(Replay.run(name, admin, relays.planOf(relay, destination)), destination);
            running.put(name.value(), now);
            new Thread(() -> closeAtEnd(name, now), "waybill-replay-end-" + name).start();
        } catch (Throwable e) {
            destination.close();
            throw e;
        }
    }

    private void closeAtEnd(RelayName name, Running now) {
        try {
            while (!now.replay().awaitEnd(BETWEEN_LOOKS)) {
                log.debug("Replay {}: {} sent.", name, now.replay().statistics().published());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("Replay {} ends here; start it again under its name to continue it.", name, e);
        }
        if (forget(name, now)) {
            now.close();
        }
    }

    private synchronized boolean forget(RelayName name, Running now) {
        return running.remove(name.value(), now);
    }

    @Override
    void startAll() {
        // An operator starts them.
    }

    @Override
    synchronized List<Runnable> takeAll() {
        List<Runnable> closing =
                running.values().stream().<Runnable>map(replay -> replay::close).toList();
        running.clear();
        return closing;
    }
}
