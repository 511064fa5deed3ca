package dev.waybill.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The system identifier that initdb assigns to a data directory, by which Waybill distinguishes servers. It is at the start of the
 * control file, which ends with a checksum, and in the first page of each WAL segment.
 */
final class PostgresIdentity {
    /** Its offset in a WAL segment. */
    private static final int WAL_HEADER = 24;

    private PostgresIdentity() {}

    /** Changes the identifier in the data directory of a stopped server, so that a copy differs from its original. */
    static void renew(Path data) throws IOException {
        byte[] identifier = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(UUID.randomUUID().getMostSignificantBits() >>> 1)
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

    /** The position of the checksum differs between versions: it is the first number that is the checksum of all bytes before it. */
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
