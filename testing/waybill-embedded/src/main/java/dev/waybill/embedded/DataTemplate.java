package dev.waybill.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * The data directory of a new database server, kept in the temporary directory for all servers of the same program and user,
 * because copying it is much faster than creating it.
 */
record DataTemplate(Path data) {
    /** Creates the data directory of a new server and leaves no process running on it. */
    interface Maker {
        void fill(ServerDirectory empty) throws IOException;
    }

    /** @param program the server's program and version, used as a key */
    static DataTemplate of(String server, String program) {
        String key = System.getProperty("user.name") + " " + program;
        return new DataTemplate(Path.of(
                System.getProperty("java.io.tmpdir"),
                "waybill-template-" + server + "-" + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8))));
    }

    /** Fills the data directory of a new server; creates the template first if there is none. */
    void copyTo(ServerDirectory directory, Maker maker) throws IOException {
        if (!Files.exists(data)) {
            create(maker);
        }
        ServerDirectory.copy(data, directory.data());
    }

    /** Two processes may do this at once: the second finds that the name exists, and deletes its own copy. */
    private void create(Maker maker) throws IOException {
        ServerDirectory first = ServerDirectory.create("template");
        try {
            maker.fill(first);
            Files.move(first.data(), data, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // An atomic move onto a directory fails with various exceptions. The other process created the same
            // template.
            if (!Files.exists(data)) {
                throw e;
            }
        } finally {
            first.delete();
        }
    }
}
