package dev.waybill.bench;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A row as the bare pipe reads it. */
final class PipeRow implements StoredEvent {
    private final Utf8 id;
    private final Utf8 type;
    private final int version;
    private final Utf8 aggregateType;
    private final Utf8 aggregateId;
    private final byte[] payload;
    private final byte @Nullable [] headers;
    private final Instant createdAt;

    PipeRow(ResultSet row) throws SQLException {
        this.id = Utf8.of(row.getString(2));
        this.type = Utf8.wrap(row.getBytes(3));
        this.version = row.getInt(4);
        this.aggregateType = Utf8.wrap(row.getBytes(5));
        this.aggregateId = Utf8.wrap(row.getBytes(6));
        this.payload = row.getBytes(7);
        this.headers = row.getBytes(8);
        this.createdAt = row.getTimestamp(9).toInstant();
    }

    @Override
    public Utf8 id() {
        return id;
    }

    @Override
    public Utf8 type() {
        return type;
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public Utf8 aggregateType() {
        return aggregateType;
    }

    @Override
    public Utf8 aggregateId() {
        return aggregateId;
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
    public byte[] payload() {
        return payload;
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public @Nullable Utf8 headersJson() {
        return headers == null ? null : Utf8.wrap(headers);
    }

    @Override
    public Instant createdAt() {
        return createdAt;
    }

    @Override
    public int attempts() {
        return 0;
    }
}
