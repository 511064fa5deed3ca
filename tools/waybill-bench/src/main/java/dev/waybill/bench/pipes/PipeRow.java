package dev.waybill.bench.pipes;

import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A row as the bare pipe reads it: routes and formats take a stored event. */
record PipeRow(
        Utf8 id,
        Utf8 type,
        int version,
        Utf8 aggregateType,
        Utf8 aggregateId,
        byte[] payload,
        @Nullable Utf8 headersJson,
        Instant createdAt)
        implements StoredEvent {
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    static PipeRow read(ResultSet row) throws SQLException {
        byte @Nullable [] headers = row.getBytes(8);
        return new PipeRow(
                UuidForm.text(row.getBytes(2)),
                Utf8.wrap(row.getBytes(3)),
                row.getInt(4),
                Utf8.wrap(row.getBytes(5)),
                Utf8.wrap(row.getBytes(6)),
                row.getBytes(7),
                headers == null ? null : Utf8.wrap(headers),
                instant(row));
    }

    /** From its bytes in binary transfer, as the relay does it: microseconds since 2000. */
    private static Instant instant(ResultSet row) throws SQLException {
        byte[] raw = row.getBytes(9);
        return raw.length == 8
                ? EPOCH.plus(ByteBuffer.wrap(raw).getLong(), ChronoUnit.MICROS)
                : row.getTimestamp(9).toInstant();
    }

    @Override
    public boolean numericAggregateId() {
        return false;
    }

    @Override
    public OptionalLong aggregateVersion() {
        return OptionalLong.empty();
    }

    @Override
    public @Nullable Utf8 topic() {
        return null;
    }

    @Override
    public @Nullable Utf8 key() {
        return null;
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public int attempts() {
        return 0;
    }
}
