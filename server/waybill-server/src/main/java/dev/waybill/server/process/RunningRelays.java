package dev.waybill.server.process;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayGroup;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.config.Installation;
import dev.waybill.telemetry.tracing.Tracing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs every relay of an installation on its own thread: no relay waits for another, not even at the start. Unless the
 * configuration says otherwise, they are shared with other processes that run them.
 */
final class RunningRelays implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningRelays.class);

    private final Installation installation;
    private final Tracing tracing;
    private final Function<RelayPlan, Relay> starting;
    private final RelayGroup group;
    private final Map<String, Relay> running = new ConcurrentHashMap<>();
    private volatile boolean stopping;

    /** @param starting starts a relay, observed or not */
    RunningRelays(Installation installation, Tracing tracing, Function<RelayPlan, Relay> starting) {
        this.installation = installation;
        this.tracing = tracing;
        this.starting = starting;
        this.group = RelayGroup.ofThisProcess(installation.secrets()::hide);
    }

    void start() {
        tellWhatIsNotShared();
        for (String name : installation.relays()) {
            try {
                RelayListener spans = tracing.relay(installation.messagingSystem(name));
                running.put(name, starting.apply(shared(installation.plan(name).listener(spans))));
            } catch (RuntimeException e) {
                log.error("Relay {} does not run, so the process is not ready; other relays continue.", name, e);
            }
        }
    }

    private void tellWhatIsNotShared() {
        List<String> relays = installation.stores().stream()
                .filter(store -> installation.store(store).processes().isEmpty())
                .flatMap(store -> installation.relaysOf(store).stream())
                .toList();
        if (installation.serving().sharesRelays() && installation.relays().size() > 1 && !relays.isEmpty()) {
            log.info(
                    "Not shared evenly with other processes, because their stores have no register of processes: {}.",
                    String.join(", ", relays));
        }
    }

    Optional<Relay> find(String name) {
        return Optional.ofNullable(running.get(name));
    }

    private RelayPlan shared(RelayPlan plan) {
        return installation.serving().sharesRelays()
                ? plan.group(group, installation.destinationOf(plan.name().value()))
                : plan;
    }

    /** From now on the process is not ready, because it stops. */
    void announceStop() {
        stopping = true;
    }

    /** Why the process is not ready; empty if every relay works, is idle, stands by, or has been failing for a short time only. */
    Optional<String> notReady() {
        if (stopping) {
            return Optional.of("stopping");
        }
        return installation.relays().stream()
                .flatMap(name -> notReady(name).stream())
                .findFirst();
    }

    private Optional<String> notReady(String name) {
        Relay relay = running.get(name);
        if (relay == null || !relay.isAlive()) {
            return Optional.of("relay " + name + " does not run");
        }
        return relay.failingFor()
                .filter(time -> time.compareTo(installation.serving().notReadyAfter()) >= 0)
                .map(time -> "relay " + name + " has been failing for " + time.toSeconds() + " s");
    }

    /** Closes all at once, so that their grace periods do not add up. */
    @Override
    public void close() {
        group.close();
        List<Thread> closing = running.values().stream()
                .map(relay -> new Thread(relay::close, "waybill-stop-relay"))
                .toList();
        closing.forEach(Thread::start);
        try {
            for (Thread thread : closing) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
