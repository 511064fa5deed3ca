package dev.waybill.tck.memory;

import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The processes that share the relays of the store. */
final class MemoryProcesses implements ProcessRegister {
    private final Ledger ledger;
    /** Guarded by the ledger's monitor. */
    private final Map<String, Announced> announced = new TreeMap<>();

    private final Map<OwnerId, List<RelayReport>> reports = new HashMap<>();

    private record Announced(Entry entry, Instant until) {}

    MemoryProcesses(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public List<Entry> processes() {
        synchronized (ledger) {
            return announced.values().stream()
                    .filter(one -> one.until().isAfter(ledger.now()))
                    .map(Announced::entry)
                    .toList();
        }
    }

    @Override
    public List<RelayReport> reports() {
        synchronized (ledger) {
            return processes().stream()
                    .flatMap(entry -> reports.getOrDefault(entry.process(), List.of()).stream())
                    .sorted(Comparator.comparing(
                                    (RelayReport report) -> report.relay().value())
                            .thenComparing(report -> report.process().value()))
                    .toList();
        }
    }

    @Override
    public Registration register() {
        return new InLedger();
    }

    private final class InLedger implements Registration {
        private @Nullable OwnerId own;

        @Override
        public void announce(Entry entry, Duration validFor) {
            synchronized (ledger) {
                own = entry.process();
                announced.put(
                        entry.process().value(),
                        new Announced(entry, ledger.now().plus(validFor)));
            }
        }

        @Override
        public void report(List<RelayReport> own) {
            synchronized (ledger) {
                own.stream().findFirst().ifPresent(any -> reports.put(any.process(), List.copyOf(own)));
            }
        }

        @Override
        public Reading read() {
            synchronized (ledger) {
                Map<RelayName, OwnerId> holders = new HashMap<>();
                ledger.relays()
                        .forEach(relay -> relay.lease(ledger.now())
                                .ifPresent(lease -> holders.put(relay.name(), new OwnerId(lease.owner()))));
                return new Reading(processes(), holders);
            }
        }

        @Override
        public void close() {
            synchronized (ledger) {
                if (own != null) {
                    announced.remove(own.value());
                    reports.remove(own);
                }
            }
        }
    }
}
