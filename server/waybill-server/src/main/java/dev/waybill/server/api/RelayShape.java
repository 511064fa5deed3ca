package dev.waybill.server.api;

import dev.waybill.admin.RelayStatus;
import dev.waybill.server.live.Latencies;
import dev.waybill.server.live.OwnRelays;
import dev.waybill.server.live.StoreSample;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Relays as JSON. */
final class RelayShape {
    private static final int MOST_PROCESSES = 20;
    /** The state of a relay whose store cannot be read; its numbers are the last known ones. */
    private static final String UNKNOWN = "unknown";

    private final Function<String, Optional<String>> destinations;

    /** @param destinations of the relays of this process' configuration */
    RelayShape(Function<String, Optional<String>> destinations) {
        this.destinations = destinations;
    }

    /** Those of the store, and those that are configured and never ran. */
    List<Obj> all(StoreSample sample) {
        List<Obj> relays = new ArrayList<>();
        Set<String> missing = new HashSet<>(sample.configured());
        for (RelayStatus status : sample.relays()) {
            missing.remove(status.name());
            relays.add(one(sample, status));
        }
        sample.configured().stream()
                .filter(missing::contains)
                .forEach(name -> relays.add(base(sample, name)
                        .text("state", sample.isKnown() ? "never ran" : UNKNOWN)
                        .all(processes(sample, name, Optional.empty()))));
        return relays;
    }

    Optional<Obj> find(StoreSample sample, String relay) {
        return all(sample).stream()
                .filter(each -> relay.equals(each.map().get("relay")))
                .findFirst();
    }

    private Obj base(StoreSample sample, String relay) {
        Obj one = new Obj()
                .text("store", sample.store())
                .text("relay", relay)
                .text("destination", destinations.apply(relay))
                .flag("configured", sample.configured().contains(relay))
                .flag("here", sample.own().containsKey(relay));
        own(sample.own(), relay).ifPresent(own -> {
            one.text("phase", own.state().phase().words())
                    .text("problem", own.state().problem())
                    .seconds("failingSeconds", own.failingFor());
            own.latency().ifPresent(latency -> one.object("latency", latency(latency)));
        });
        return one;
    }

    private static Optional<OwnRelays.Own> own(Map<String, OwnRelays.Own> own, String relay) {
        return Optional.ofNullable(own.get(relay));
    }

    /** Processes that share the relay and say what they do with it: first the one that runs it, then those that fail. */
    private static Obj processes(StoreSample sample, String relay, Optional<String> owner) {
        Optional<OwnerId> self = own(sample.own(), relay).flatMap(OwnRelays.Own::process);
        Predicate<RelayReport> runs =
                report -> owner.filter(report.process().value()::equals).isPresent();
        List<Obj> processes = sample.reports(relay).stream()
                .sorted(Comparator.comparing((RelayReport report) -> !runs.test(report))
                        .thenComparing(report -> report.failingFor().isEmpty()))
                .limit(MOST_PROCESSES)
                .map(report -> new Obj()
                        .text("process", report.process().value())
                        .flag("runs", runs.test(report))
                        .flag("here", self.filter(report.process()::equals).isPresent())
                        .text("phase", report.phase())
                        .seconds("failingSeconds", report.failingFor())
                        .text("problem", report.problem()))
                .toList();
        return processes.isEmpty() ? new Obj() : new Obj().list("processes", processes);
    }

    private static Obj latency(Latencies.Percentiles latency) {
        return new Obj()
                .number("p50", latency.p50())
                .number("p95", latency.p95())
                .number("p99", latency.p99());
    }

    private Obj one(StoreSample sample, RelayStatus relay) {
        Obj one = base(sample, relay.name()).text("state", sample.isKnown() ? state(relay) : UNKNOWN);
        relay.lease()
                .ifPresent(lease -> one.text("owner", lease.owner())
                        .count("epoch", lease.epoch())
                        .time("leaseUntil", lease.until()));
        one.count("backlog", relay.backlog())
                .flag("backlogExact", relay.backlogExact())
                .seconds("oldestSeconds", relay.oldest())
                .seconds("oldestParkedSeconds", relay.oldestParked())
                .count("parked", Math.min(relay.parked(), RelayStatus.COUNTED))
                .flag("parkedMore", relay.parked() > RelayStatus.COUNTED)
                .count("dead", Math.min(relay.dead(), RelayStatus.COUNTED))
                .flag("deadMore", relay.dead() > RelayStatus.COUNTED)
                .number("publishedPerSecond", sample.rate(relay.name()))
                .seconds("unattendedSeconds", relay.unattended())
                .text("committedPosition", relay.committed());
        one.all(processes(sample, relay.name(), relay.lease().map(RelayStatus.Lease::owner)));
        relay.hidden().ifPresent(rows -> one.count("hidden", rows));
        return one;
    }

    private static String state(RelayStatus relay) {
        if (relay.paused()) {
            return "paused";
        }
        if (relay.lease().isPresent()) {
            return "running";
        }
        return relay.abandoned() ? "abandoned" : "not running";
    }
}
