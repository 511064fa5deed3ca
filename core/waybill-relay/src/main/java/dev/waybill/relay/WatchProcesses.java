package dev.waybill.relay;

import dev.waybill.relay.sharing.Sharing;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.ProcessRegister.Entry;
import dev.waybill.spi.ProcessRegister.Registration;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces this process in a store, and reads which others are there and which leases they hold. Each store has a thread and a
 * connection of its own: a store that hangs delays no other, and a busy relay does not make its process look dead.
 */
final class WatchProcesses implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WatchProcesses.class);

    private static final int MOST_NAMED = 5;

    private final EventStore store;
    private final Registration registration;
    private final Sharing sharing;
    private final UnaryOperator<String> shown;
    private final SharedThread thread;
    private boolean failing;
    private volatile boolean stopping;

    private WatchProcesses(EventStore store, ProcessRegister register, Sharing sharing, UnaryOperator<String> shown) {
        this.store = store;
        this.registration = register.register();
        this.sharing = sharing;
        this.shown = shown;
        this.thread = SharedThread.take(this, "waybill-processes");
    }

    /** @param shown what others may read of the text of an error */
    static WatchProcesses start(
            EventStore store, ProcessRegister register, Sharing sharing, UnaryOperator<String> shown) {
        WatchProcesses watch = new WatchProcesses(store, register, sharing, shown);
        watch.lookIn(Duration.ZERO);
        return watch;
    }

    private void lookIn(Duration wait) {
        thread.in(wait, this::look);
    }

    private void look() {
        if (stopping) {
            registration.close();
            thread.close();
            return;
        }
        try {
            runOnce();
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                log.warn(
                        "Other processes cannot be seen now in the store of {} ({}). Relays of this store take their leases as if"
                                + " they were not shared, until it answers.",
                        relays(),
                        e.getMessage());
            }
            failing = true;
        } finally {
            lookIn(sharing.untilLook(store));
        }
    }

    private String relays() {
        List<String> names = sharing.reports(store).stream()
                .map(report -> report.relay().value())
                .sorted()
                .toList();
        int more = names.size() - MOST_NAMED;
        return String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMED)))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private void runOnce() {
        Optional<Entry> due = sharing.toAnnounce(store);
        due.ifPresent(entry -> {
            registration.announce(entry, sharing.validity(store));
            sharing.announced(store, entry);
        });
        sharing.see(store, registration.read());
        if (due.isPresent()) {
            // As often as the announcement, and last: nothing depends on it.
            registration.report(sharing.reports(store).stream().map(this::shown).toList());
        }
    }

    private RelayReport shown(RelayReport report) {
        return new RelayReport(
                report.process(),
                report.relay(),
                report.phase(),
                report.failingFor(),
                report.problem().map(shown));
    }

    /** Does not wait: a store that does not answer forgets this process when its announcement expires. */
    @Override
    public void close() {
        stopping = true;
        lookIn(Duration.ZERO);
    }
}
