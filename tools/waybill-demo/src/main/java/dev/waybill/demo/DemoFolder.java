package dev.waybill.demo;

import dev.waybill.embedded.AtExit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** The files of a running demo, which are deleted with it. Only its user may read them. */
final class DemoFolder implements AutoCloseable {
    private final Path path;
    private final AtExit deleteAtExit = AtExit.run(this::delete);

    private DemoFolder(Path path) {
        this.path = path;
    }

    static DemoFolder create() {
        Path path = of(ProcessHandle.current().pid());
        try {
            return new DemoFolder(Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The demo cannot create the folder " + path + ": if an earlier demo left it behind, delete it.", e);
        }
    }

    static Path of(long pid) {
        return Path.of(System.getProperty("java.io.tmpdir"), "waybill-demo-" + pid);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        delete();
        // Only now: the JVM does not wait for this thread when nothing is left to do at its exit.
        deleteAtExit.cancel();
    }

    /** On Ctrl-C both threads come here: the one that closes, and the one of the exit. */
    private synchronized void delete() {
        if (Files.notExists(path)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            Shop.say("the folder " + path + " could not be deleted: " + e.getMessage());
        }
    }
}
