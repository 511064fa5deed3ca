package dev.waybill.bench.pipes;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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

    static PipeRow read(ResultSet row) throws SQLException {
        byte @Nullable [] headers = row.getBytes(8);
        return new PipeRow(
                Utf8.of(row.getString(2)),
                Utf8.wrap(row.getBytes(3)),
                row.getInt(4),
                Utf8.wrap(row.getBytes(5)),
                Utf8.wrap(row.getBytes(6)),
                row.getBytes(7),
                headers == null ? null : Utf8.wrap(headers),
                row.getTimestamp(9).toInstant());
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
