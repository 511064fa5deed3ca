package dev.waybill.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one server: {@code data}, {@code server.log}, {@code owner} (the JVM that started it) and {@code processes}
 * (started for it). Directories are in the system's temporary directory, where later runs find those whose owner was killed.
 */
record ServerDirectory(Path root) {
    private static final String PREFIX = "waybill-";
    private static final int LOG_LINES = 60;

    static ServerDirectory create(String server) {
        try {
            ServerDirectory directory = new ServerDirectory(Files.createTempDirectory(PREFIX + server + "-"));
            Files.writeString(directory.owner(), Owner.thisJvm().line());
            Files.createFile(directory.log());
            return directory;
        } catch (IOException e) {
            throw new EmbeddedServerException("No directory for " + server + " could be created: " + e.getMessage(), e);
        }
    }

    /** Ends the servers of JVMs that were killed, and removes their directories. */
    static void sweepOrphans() {
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(Path.of(System.getProperty("java.io.tmpdir")), PREFIX + "*")) {
            for (Path root : found) {
                ServerDirectory directory = new ServerDirectory(root);
                if (directory.isOrphan()) {
                    Postmaster.of(directory).ifPresent(Postmaster::end);
                    directory.killProcesses();
                    directory.delete();
                }
            }
        } catch (IOException e) {
            throw new EmbeddedServerException(
                    "The directories of earlier servers could not be listed: " + e.getMessage(), e);
        }
    }

    private boolean isOrphan() {
        try {
            return Owner.parse(Files.readString(owner()))
                    .filter(owner -> !owner.isAlive())
                    .isPresent();
        } catch (IOException e) {
            // It belongs to another user, or is just being created or removed.
            return false;
        }
    }

    void note(ProcessHandle process) throws IOException {
        Files.writeString(
                processes(),
                Owner.of(process).line() + System.lineSeparator(),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Ends the recorded processes, the first one last, because the others may depend on it. */
    void killProcesses() {
        List<String> lines = List.of();
        try {
            lines = Files.readAllLines(processes());
        } catch (IOException e) {
            // No process was recorded.
        }
        for (int i = lines.size() - 1; i >= 0; i--) {
            Owner.parse(lines.get(i))
                    .flatMap(Owner::process)
                    .map(ServerProcess::new)
                    .ifPresent(ServerProcess::kill);
        }
    }

    /** For files that a server deletes when it starts, even those of others. */
    Path temporary() {
        return root;
    }

    Path data() {
        return root.resolve("data");
    }

    Path log() {
        return root.resolve("server.log");
    }

    private Path processes() {
        return root.resolve("processes");
    }

    private Path owner() {
        return root.resolve("owner");
    }

    boolean ownedByRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(root, "unix:uid"));
        } catch (IOException e) {
            throw new EmbeddedServerException("The owner of " + root + " cannot be read: " + e.getMessage(), e);
        }
    }

    String endOfLog() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join(
                    System.lineSeparator(), lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "(the log cannot be read: " + e.getMessage() + ")";
        }
    }

    /** The server must be stopped. */
    void copyDataTo(ServerDirectory other) throws IOException {
        copy(data(), other.data());
    }

    static void copy(Path data, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!file.endsWith("postmaster.pid")) {
                    Files.copy(file, target.resolve(data.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    void delete() {
        try {
            if (Files.exists(root)) {
                Files.walkFileTree(root, new DeleteAll());
            }
        } catch (IOException e) {
            throw new EmbeddedServerException("Directory " + root + " could not be removed: " + e.getMessage(), e);
        }
    }

    /** Tolerates another JVM that deletes the same directory. */
    private static final class DeleteAll extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
