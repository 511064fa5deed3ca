package dev.waybill.bench.systems;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A module beside this one with a class path that no other one shares. */
public final class PeerModule {
    private final String name;
    private final String classPath;

    private PeerModule(String name, String classPath) {
        this.name = name;
        this.classPath = classPath;
    }

    /** @return empty if the module is not built */
    public static Optional<PeerModule> named(String name) {
        Path tools = tools();
        Path target =
                tools == null ? null : tools.resolve("waybill-bench-" + name).resolve("target");
        if (target == null || !Files.exists(target.resolve("classpath"))) {
            return Optional.empty();
        }
        return Optional.of(new PeerModule(
                name, target.resolve("classes") + File.pathSeparator + read(target.resolve("classpath"))));
    }

    String classPath() {
        return classPath;
    }

    /** @param main a class of its package */
    public List<String> command(String heap, String main) {
        return List.of(
                SystemSpec.java(),
                "-Xmx" + heap,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                classPath,
                "dev.waybill.bench." + name + "." + main);
    }

    /** The folder with this module and those of the peers, wherever the classes of the bench are in it. */
    public static @Nullable Path tools() {
        try {
            Path classes = Path.of(PeerModule.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            for (Path folder = classes; folder != null; folder = folder.getParent()) {
                if (Files.exists(folder.resolve("waybill-bench-kit").resolve("pom.xml"))) {
                    return folder;
                }
            }
            return null;
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The place of the bench's classes is not a path.", e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
