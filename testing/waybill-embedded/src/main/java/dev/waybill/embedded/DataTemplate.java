package dev.waybill.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * The data directory of a new database server, kept in the temporary directory for all servers of the same program and the
 * same user: copying it takes a fraction of the time that making it takes.
 */
record DataTemplate(Path data) {
    /** Makes the data directory of a new server, and leaves no process running on it. */
    interface Maker {
        void fill(ServerDirectory empty) throws IOException;
    }

    /** @param program the server's program in its version, which nobody else reads */
    static DataTemplate of(String server, String program) {
        String key = System.getProperty("user.name") + " " + program;
        return new DataTemplate(Path.of(
                System.getProperty("java.io.tmpdir"),
                "waybill-template-" + server + "-" + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8))));
    }

    /** Fills the data directory of a new server; makes the template first when there is none. */
    void copyTo(ServerDirectory directory, Maker maker) throws IOException {
        if (!Files.exists(data)) {
            create(maker);
        }
        ServerDirectory.copy(data, directory.data());
    }

    /** Two processes may do this at once: the second one finds the name taken, and drops its own. */
    private void create(Maker maker) throws IOException {
        ServerDirectory first = ServerDirectory.create("template");
        try {
            maker.fill(first);
            Files.move(first.data(), data, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            // The other process made the same.
        } finally {
            first.delete();
        }
    }
}
