package dev.waybill.trials;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What {@code ./waybill dist} packs, unpacked into a directory with a space in its name, on a machine that has a Java runtime,
 * a shell and a few ordinary programs.
 *
 * @param home the unpacked directory
 * @param programs the only directory on the PATH
 */
record Distribution(Path home, Path programs) {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PACK = ROOT.resolve("server/waybill-server/src/dist/pack");

    /** What a command printed, both streams together, and how it ended. */
    record Answer(int exitCode, String output) {}

    /** Packed once for all classes of tests that run in this JVM. */
    private static final class Packed {
        static final String ARCHIVE = pack();

        private static String pack() {
            Answer packed;
            try {
                packed = finish(new ProcessBuilder(PACK.toString()));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError("The distribution cannot be packed.", e);
            }
            if (packed.exitCode() != 0) {
                throw new AssertionError("The distribution cannot be packed: " + packed.output());
            }
            return packed.output().lines().reduce((first, second) -> second).orElseThrow();
        }
    }

    static Distribution unpackInto(Path directory) throws Exception {
        String archive = Packed.ARCHIVE;
        Path place = Files.createDirectories(directory.resolve("with a space"));
        Answer unpacked = finish(new ProcessBuilder("tar", "-xzf", archive, "-C", place.toString()));
        if (unpacked.exitCode() != 0) {
            throw new AssertionError(archive + " cannot be unpacked: " + unpacked.output());
        }
        Path programs = Files.createDirectory(directory.resolve("programs"));
        for (String name : List.of("cat", "cksum", "grep", "ls", "mkdir", "mktemp", "mv", "readlink", "rm")) {
            Files.createSymbolicLink(programs.resolve(name), program(name));
        }
        try (Stream<Path> unpackedFiles = Files.list(place)) {
            return new Distribution(unpackedFiles.findFirst().orElseThrow(), programs);
        }
    }

    private static Path program(String name) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    Path launcher() {
        return home.resolve("bin/waybill");
    }

    /** @param extra added to the environment, which otherwise has the PATH, JAVA_HOME and HOME alone; empty removes one */
    Answer run(Map<String, String> extra, String... arguments) throws Exception {
        return finish(process(extra, launcher(), arguments));
    }

    ProcessBuilder process(Map<String, String> extra, Path launcher, String... arguments) {
        List<String> words = new ArrayList<>(List.of(launcher.toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).directory(programs.toFile());
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", programs.toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                "HOME", programs.toString()));
        environment.putAll(extra);
        environment.values().removeIf(String::isEmpty);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    static Answer finish(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), output);
    }
}
