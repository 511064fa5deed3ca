package dev.waybill.bench.connect;

import dev.waybill.bench.systems.Peer;
import dev.waybill.bench.systems.PeerModule;
import dev.waybill.bench.systems.SystemSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * What a worker of Kafka Connect is started with: its own class path, and a folder with Debezium's connector and Waybill's.
 *
 * @param workerClassPath Connect's own, without a connector
 * @param folder for {@code plugin.path}
 * @param debeziumVersion as the module of the peer has it
 */
record ConnectPlugins(String workerClassPath, Path folder, String debeziumVersion) {
    /** Copies both connectors into the folder; empty if their modules are not built. */
    static Optional<ConnectPlugins> into(Path folder) throws IOException {
        Path tools = PeerModule.tools();
        Optional<SystemSpec> debezium = Peer.DEBEZIUM.spec();
        Optional<Path> waybill = tools == null
                ? Optional.empty()
                : zip(tools.resolveSibling("brokers").resolve("waybill-connect"));
        if (debezium.isEmpty() || waybill.isEmpty()) {
            return Optional.empty();
        }
        List<String> worker = new ArrayList<>();
        Path connector = Files.createDirectories(folder.resolve("debezium"));
        for (Path entry : classPath(debezium.get())) {
            String name = entry.getFileName().toString();
            if (name.startsWith("debezium-")) {
                Files.copy(entry, connector.resolve(name));
            } else {
                worker.add(entry.toString());
            }
        }
        unpack(waybill.get(), folder);
        return Optional.of(new ConnectPlugins(
                String.join(File.pathSeparator, worker), folder, debezium.get().version()));
    }

    private static Optional<Path> zip(Path module) throws IOException {
        Path target = module.resolve("target");
        if (!Files.isDirectory(target)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.toString().endsWith("-plugin.zip")).findFirst();
        }
    }

    /** The peer's own class path. */
    private static List<Path> classPath(SystemSpec peer) {
        String entries = peer.command().get(peer.command().indexOf("-cp") + 1);
        return Arrays.stream(entries.split(File.pathSeparator)).map(Path::of).toList();
    }

    private static void unpack(Path zip, Path folder) throws IOException {
        try (ZipInputStream entries = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                if (!entry.isDirectory()) {
                    Files.createDirectories(file.getParent());
                    Files.copy(entries, file);
                }
            }
        }
    }
}
