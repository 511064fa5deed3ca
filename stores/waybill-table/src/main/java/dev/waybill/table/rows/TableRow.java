package dev.waybill.table.rows;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An event of an outbox table. */
public final class TableRow implements StoredEvent {
    private static final String JSON = "application/json";

    private final TableLayout layout;
    private final String rowId;
    private final TablePosition position;
    private final Utf8 id;
    private final Utf8 type;
    private final int version;
    private final Utf8 aggregateType;
    private final Utf8 aggregateId;
    private final OptionalLong aggregateVersion;
    private final @Nullable Utf8 topic;
    private final @Nullable Utf8 key;
    private final String contentType;
    private final Instant createdAt;
    private final long bytes;
    private final int maxAttempts;
    private final @Nullable Utf8 headers;
    private byte @Nullable [] payload;
    private int attempts;
    private @Nullable String unreadable;

    /** Reads the event columns of {@link TableText}. */
    TableRow(TableConnection connection, ResultSet row) throws SQLException {
        this.layout = connection.layout();
        this.maxAttempts = layout.countsAttempts() && !connection.isReplay() ? layout.maxAttempts() : Integer.MAX_VALUE;
        TableColumns columns = new TableColumns(connection, row);
        this.rowId = row.getString(1);
        this.id = Utf8.of(rowId);
        this.type = columns.required(2);
        int declared = row.getInt(3);
        this.version = row.wasNull() ? 1 : declared;
        Utf8 aggregate = columns.text(4);
        this.aggregateType = aggregate == null ? Utf8.of(layout.aggregateType().orElse("")) : aggregate;
        this.aggregateId = columns.aggregateId(5);
        long v = row.getLong(6);
        this.aggregateVersion = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(v);
        this.topic = columns.text(7);
        this.key = columns.text(8);
        @Nullable String content = row.getString(9);
        this.contentType = content == null ? JSON : content;
        this.headers = columns.text(10);
        this.createdAt = Objects.requireNonNullElse(connection.times().read(row, 11), Instant.EPOCH);
        this.position = columns.position(12, createdAt, rowId);
        this.attempts = row.getInt(13);
        byte @Nullable [] json = columns.payload(14);
        this.payload = json == null ? row.getBytes(15) : json;
        this.bytes = (payload == null ? row.getLong(16) : payload.length)
                + contentType.length()
                + length(headers)
                + length(topic)
                + length(key)
                + length(id)
                + length(type)
                + length(aggregateType)
                + length(aggregateId);
    }

    public String rowId() {
        return rowId;
    }

    public TablePosition position() {
        return position;
    }

    /** Whether the payload is still to be read. */
    boolean isToBeFilled() {
        return payload == null;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    private static int length(@Nullable Utf8 text) {
        return text == null ? 0 : text.bytes().length;
    }

    void fill(byte[] withheld) {
        payload = withheld;
    }

    /** A row of which not everything can be read. */
    TableRow unreadable(String reason) {
        unreadable = reason;
        payload = new byte[0];
        return this;
    }

    /** Of an event that was sent, only what marking needs. */
    public TableRow withoutMessage() {
        return new TableRow(this);
    }

    private TableRow(TableRow sent) {
        this.layout = sent.layout;
        this.rowId = sent.rowId;
        this.position = sent.position;
        this.id = sent.id;
        this.type = sent.type;
        this.version = sent.version;
        this.aggregateType = sent.aggregateType;
        this.aggregateId = sent.aggregateId;
        this.aggregateVersion = sent.aggregateVersion;
        this.topic = sent.topic;
        this.key = sent.key;
        this.headers = null;
        this.contentType = sent.contentType;
        this.createdAt = sent.createdAt;
        this.bytes = sent.bytes;
        this.maxAttempts = sent.maxAttempts;
        this.payload = null;
        this.attempts = sent.attempts;
    }

    public void attempts(int counted) {
        attempts = counted;
    }

    /**
     * Represents the key in the side table, with a fixed size and without personal data. Keys with equal hashes wait for each
     * other.
     */
    public String keyHash() {
        return SideRow.hash(orderKey().bytes());
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
        return layout.aggregateIdKind() == TableLayout.IdKind.NUMBER;
    }

    @Override
    public OptionalLong aggregateVersion() {
        return aggregateVersion;
    }

    @Override
    public @Nullable Utf8 topic() {
        return topic;
    }

    @Override
    public @Nullable Utf8 key() {
        return key;
    }

    @Override
    public byte[] payload() {
        return Objects.requireNonNull(payload, "payload");
    }

    @Override
    public String contentType() {
        return contentType;
    }

    @Override
    public @Nullable Utf8 headersJson() {
        return headers;
    }

    @Override
    public Instant createdAt() {
        return createdAt;
    }

    @Override
    public int attempts() {
        return attempts;
    }

    @Override
    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public Optional<String> unreadable() {
        return Optional.ofNullable(unreadable);
    }

    @Override
    public String toString() {
        return "TableRow[" + rowId + " " + new String(type.bytes(), StandardCharsets.UTF_8) + "]";
    }
}
