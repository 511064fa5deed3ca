package dev.waybill.server.api;

import dev.waybill.admin.RelayStatus;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.server.live.Latencies;
import dev.waybill.server.live.OwnRelays;
import dev.waybill.server.live.StoreSample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Relays as JSON. */
final class RelayShape {
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
                .forEach(name -> relays.add(
                        base(sample, name).text("state", sample.at().isPresent() ? "never ran" : "unknown")));
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
            one.text("phase", phase(own.state().phase()))
                    .text("problem", own.state().problem())
                    .seconds("failingSeconds", own.failingFor());
            own.latency().ifPresent(latency -> one.object("latency", latency(latency)));
        });
        return one;
    }

    private static Optional<OwnRelays.Own> own(Map<String, OwnRelays.Own> own, String relay) {
        return Optional.ofNullable(own.get(relay));
    }

    private static String phase(RelayStatistics.Phase phase) {
        return switch (phase) {
            case STOPPED -> "stopped";
            case STANDING_BY -> "standing by";
            case RUNNING -> "running";
            case BACKING_OFF -> "backing off";
        };
    }

    private static Obj latency(Latencies.Percentiles latency) {
        return new Obj()
                .number("p50", latency.p50())
                .number("p95", latency.p95())
                .number("p99", latency.p99());
    }

    private Obj one(StoreSample sample, RelayStatus relay) {
        Obj one = base(sample, relay.name()).text("state", state(relay));
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
                .seconds("unattendedSeconds", relay.unattended());
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
