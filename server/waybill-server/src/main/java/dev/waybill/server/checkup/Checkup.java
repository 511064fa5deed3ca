package dev.waybill.server.checkup;

import dev.waybill.RelayName;
import dev.waybill.admin.BrokerCheckup;
import dev.waybill.admin.BrokerFindings;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.PositionAdmin;
import dev.waybill.admin.PositionsCheckup;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.config.Installation;
import dev.waybill.server.config.LikelyTopics;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.ProcessRegister.RelayReport;
import dev.waybill.spi.StoreException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Examines stores, relays and destinations, and tells what it finds. */
public final class Checkup {
    /** Age from which a parked event is a problem, unless said otherwise. */
    public static final Duration PARKED_TOO_LONG = Duration.ofHours(1);

    private final BiConsumer<String, List<Finding>> found;

    /** @param found is told what was examined, and what was found */
    public Checkup(BiConsumer<String, List<Finding>> found) {
        this.found = found;
    }

    /**
     * A store to examine, with its relays.
     *
     * @param configured names of the relays that read it, from the configuration
     * @param processes empty if the store has no register of processes
     */
    public record Store(String name, StoreAdmin admin, Set<String> configured, Optional<ProcessRegister> processes) {
        /** None if they cannot be read: then the relay is reported as its status shows it. */
        private List<RelayReport> failing(RelayStatus relay) {
            try {
                return processes.map(ProcessRegister::reports).orElse(List.of()).stream()
                        .filter(report -> report.relay().value().equals(relay.name())
                                && report.failingFor().isPresent())
                        .toList();
            } catch (StoreException e) {
                return List.of();
            }
        }
    }

    /** @param tooLong age from which a parked event is a problem */
    public void examine(Store store, Duration tooLong) {
        List<Finding> findings = store.admin().examine();
        found.accept("store " + store.name(), findings);
        boolean locked = findings.stream()
                .anyMatch(finding ->
                        finding.subject().equals(Finding.LOCKS) && finding.severity() == Finding.Severity.PROBLEM);
        List<RelayStatus> relays;
        try {
            relays = store.admin().relays();
        } catch (StoreException e) {
            store.configured()
                    .forEach(relay -> found.accept(
                            "relay " + relay, List.of(RelayCheckup.unknown(String.valueOf(e.getMessage())))));
            return;
        }
        Set<String> missing = new HashSet<>(store.configured());
        relays.forEach(relay -> {
            missing.remove(relay.name());
            RelayCheckup checkup = new RelayCheckup(relay, store.failing(relay), locked);
            found.accept("relay " + relay.name(), checkup.findings(query -> parked(store, query), tooLong));
        });
        store.configured().stream()
                .filter(missing::contains)
                .forEach(relay -> found.accept("relay " + relay, List.of(RelayCheckup.neverRan())));
    }

    private static List<ParkedEvent> parked(Store store, ParkedQuery query) {
        try {
            return store.admin().parked(query);
        } catch (StoreException e) {
            return List.of(); // the finding names no event
        }
    }

    /**
     * Examines one destination.
     *
     * @param takesLetters whether dead letters are counted also if that withholds them from others for a while
     */
    public void examine(Installation installation, String destination, boolean takesLetters) {
        Set<String> topics = LikelyTopics.of(installation, destination);
        BrokerCheckup checkup = installation.checkup(destination);
        List<Finding> findings = checkup.examine(topics);
        found.accept("destination " + destination, findings);
        if (findings.stream().noneMatch(BrokerFindings::isUnavailable)) {
            found.accept(
                    "destination " + destination,
                    takesLetters || installation.countsDeadLettersFreely(destination)
                            ? WaitingLetters.examine(installation, destination, topics)
                            : List.of(WaitingLetters.notCounted(destination)));
            if (checkup instanceof PositionsCheckup positions) {
                examinePositions(installation, destination, positions);
            }
        }
    }

    private void examinePositions(Installation installation, String destination, PositionsCheckup positions) {
        List<String> relays = installation.relays().stream()
                .filter(relay -> installation.deliversExactlyOnce(relay)
                        && installation.destinationOf(relay).equals(destination))
                .toList();
        if (!relays.isEmpty()) {
            found.accept("destination " + destination, positions.examinePositions());
        }
        relays.forEach(relay -> {
            if (installation.admin(installation.storeOf(relay)) instanceof PositionAdmin store) {
                found.accept("relay " + relay, List.of(PositionCheckup.of(new RelayName(relay), store, positions)));
            }
        });
    }
}
