package dev.waybill.bench;

import dev.waybill.bench.systems.Comparison;
import dev.waybill.bench.systems.Stage;
import dev.waybill.bench.systems.SystemSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The systems of a run, and which of them take part in what. */
final class Lineup {
    /** Marking rows takes about three times as long as reading them. */
    private static final double SHARE_OF_TABLE = 1.0 / 3;

    private Lineup() {}

    static String java() {
        return ProcessHandle.current().info().command().orElse("java");
    }

    /** Opens a comparison of all systems. Peers that are not built are left out of it. */
    static Comparison open(Stage stage, String heap, String version) {
        List<SystemSpec> specs = new ArrayList<>();
        for (OwnSystem own : OwnSystem.values()) {
            specs.add(own(own, heap, version));
        }
        List<Peer> absent = new ArrayList<>();
        for (Peer peer : Peer.values()) {
            Optional<SystemSpec> spec = peer.spec();
            spec.ifPresentOrElse(specs::add, () -> absent.add(peer));
        }
        Comparison comparison = new Comparison(stage, Servers.PARTITIONS, specs, line -> Progress.say("%s", line));
        absent.forEach(peer ->
                comparison.leaveOut(peer.label, "unknown", "its module is not built; ./waybill bench builds it"));
        return comparison;
    }

    private static SystemSpec own(OwnSystem system, String heap, String version) {
        return new SystemSpec(
                system.label,
                version,
                List.of(
                        java(),
                        "-Xmx" + heap,
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OwnSystem.class.getName(),
                        system.name()),
                system == OwnSystem.TABLE ? SHARE_OF_TABLE : 1);
    }

    static List<String> draining() {
        return labels(
                Stream.of(OwnSystem.RAW, OwnSystem.PIPE, OwnSystem.OVERLAPPED, OwnSystem.JOURNAL, OwnSystem.TABLE));
    }

    /** Those that are compared over a slower link. */
    static List<String> distant() {
        return labels(Stream.of(OwnSystem.OVERLAPPED, OwnSystem.JOURNAL, OwnSystem.TABLE));
    }

    static List<String> relays() {
        return labels(Stream.of(OwnSystem.JOURNAL, OwnSystem.TABLE));
    }

    static List<String> appending() {
        return labels(Stream.of(
                OwnSystem.NO_EVENT,
                OwnSystem.SMALLEST_INSERT,
                OwnSystem.JOURNAL,
                OwnSystem.JOURNAL_SQL,
                OwnSystem.TABLE));
    }

    private static List<String> labels(Stream<OwnSystem> own) {
        return Stream.concat(
                        own.map(system -> system.label),
                        Arrays.stream(Peer.values()).map(peer -> peer.label))
                .toList();
    }
}
