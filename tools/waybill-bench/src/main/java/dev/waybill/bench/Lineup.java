package dev.waybill.bench;

import dev.waybill.bench.results.Results;
import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.Comparison;
import dev.waybill.bench.systems.Peer;
import dev.waybill.bench.systems.PeerModule;
import dev.waybill.bench.systems.Stage;
import dev.waybill.bench.systems.SystemSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The systems of a run, and which of them take part in what. */
final class Lineup {
    /** Marking or deleting rows takes about three times as long as reading them. */
    private static final double SHARE_OF_TABLES = 1.0 / 3;

    static final String NOT_BUILT = "its module is not built; ./waybill bench builds it";

    static final String NO_MAXIMUM = "at half of its maximum, which is known only with the parts drain and append";

    private Lineup() {}

    /** Opens a comparison of all systems. Those that are not built are left out of it. */
    static Comparison open(Stage stage, String heap, String version) {
        List<SystemSpec> specs = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (OwnSystem own : OwnSystem.values()) {
            specs.add(own(own, heap, version));
        }
        PeerModule.named("starter")
                .ifPresentOrElse(
                        module -> {
                            specs.add(starter(module, Results.STARTER, "StarterSystem", heap, version));
                            specs.add(starter(module, Results.STARTER_NO_EVENT, "NoEventSystem", heap, version));
                        },
                        () -> absent.addAll(List.of(Results.STARTER, Results.STARTER_NO_EVENT)));
        for (Peer peer : Peer.values()) {
            Optional<SystemSpec> spec = peer.spec();
            spec.ifPresentOrElse(specs::add, () -> absent.add(peer.label));
        }
        Comparison comparison = new Comparison(stage, Servers.PARTITIONS, specs, line -> Progress.say("%s", line));
        absent.forEach(system -> comparison.absent(system, NOT_BUILT));
        return comparison;
    }

    private static SystemSpec starter(PeerModule module, String name, String main, String heap, String version) {
        return new SystemSpec(name, version, module.command(heap, main), false, 1);
    }

    private static SystemSpec own(OwnSystem system, String heap, String version) {
        return new SystemSpec(
                system.label,
                version,
                List.of(
                        SystemSpec.java(),
                        "-Xmx" + heap,
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OwnSystem.class.getName(),
                        system.name()),
                system != OwnSystem.RAW,
                system == OwnSystem.TABLE || system == OwnSystem.TABLE_DELETING ? SHARE_OF_TABLES : 1);
    }

    /** The names of all systems, whether they are built or not. */
    static List<String> all() {
        List<String> own = new ArrayList<>(labels(OwnSystem.values()));
        own.addAll(List.of(Results.STARTER_NO_EVENT, Results.STARTER));
        return withPeers(own);
    }

    /** Those that take part in something of a part. */
    static Set<String> of(Part part, boolean thorough) {
        return switch (part) {
            case drain -> Set.copyOf(draining());
            case append -> Set.copyOf(appending());
            case latency -> Set.copyOf(latent());
            case distance -> Set.copyOf(distant(thorough));
            case growth -> Set.copyOf(withKeys());
        };
    }

    static List<String> draining() {
        return withPeers(labels(
                OwnSystem.RAW,
                OwnSystem.PIPE,
                OwnSystem.OVERLAPPED,
                OwnSystem.JOURNAL,
                OwnSystem.EXACTLY_ONCE,
                OwnSystem.TABLE,
                OwnSystem.TABLE_DELETING));
    }

    /** Those that are compared over a slower link. */
    static List<String> distant(boolean thorough) {
        List<String> own = labels(OwnSystem.OVERLAPPED, OwnSystem.JOURNAL, OwnSystem.TABLE);
        return thorough
                ? withPeers(own)
                : Stream.concat(own.stream(), Stream.of(Peer.DEBEZIUM.label)).toList();
    }

    static List<String> relays() {
        return withPeers(labels(OwnSystem.JOURNAL, OwnSystem.TABLE));
    }

    static List<String> latent() {
        return withPeers(labels(
                OwnSystem.JOURNAL,
                OwnSystem.NOT_WOKEN,
                OwnSystem.EXACTLY_ONCE,
                OwnSystem.TABLE,
                OwnSystem.TABLE_DELETING));
    }

    static List<String> growing() {
        return labels(OwnSystem.OVERLAPPED, OwnSystem.JOURNAL);
    }

    static List<String> withKeys() {
        return labels(OwnSystem.OVERLAPPED, OwnSystem.JOURNAL, OwnSystem.TABLE);
    }

    static List<String> appending() {
        List<String> own = new ArrayList<>(labels(
                OwnSystem.NO_EVENT,
                OwnSystem.SMALLEST_INSERT,
                OwnSystem.JOURNAL,
                OwnSystem.JOURNAL_SQL,
                OwnSystem.TABLE,
                OwnSystem.TABLE_SQL));
        own.addAll(List.of(Results.STARTER_NO_EVENT, Results.STARTER));
        return withPeers(own);
    }

    static List<String> labels(OwnSystem... own) {
        return Arrays.stream(own).map(system -> system.label).toList();
    }

    private static List<String> withPeers(List<String> own) {
        return Stream.concat(own.stream(), Arrays.stream(Peer.values()).map(peer -> peer.label))
                .toList();
    }
}
