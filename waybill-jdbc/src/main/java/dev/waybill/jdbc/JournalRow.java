package dev.waybill.jdbc;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event of the journal on the bytes the driver received. Text columns come as they are, whatever the transfer format. */
final class JournalRow implements StoredEvent {
    private static final long EPOCH_2000_SECONDS = 946_684_800L;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final DateTimeFormatter TEXT_TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendOffset("+HH:mm", "+00")
            .toFormatter();
    private static final String JSON = "application/json";
    private static final byte[] WITHHELD = new byte[0];

    final long seq;
    private final Utf8 id;
    private final byte[] type;
    private final int version;
    private final byte[] aggregateType;
    private final byte[] aggregateId;
    private final OptionalLong aggregateVersion;
    private final byte @Nullable [] topic;
    private final byte @Nullable [] key;
    private byte[] payload;
    private final int payloadLength;
    private final String contentType;
    private final byte @Nullable [] headers;
    private final Instant createdAt;
    private final int attempts;

    /** Reads the columns of {@link PostgresJournalSql#EVENT_COLUMNS}. */
    JournalRow(ResultSet row, int attempts) throws SQLException {
        this.seq = row.getLong(1);
        this.id = uuid(row.getBytes(2));
        this.type = row.getBytes(3);
        this.version = row.getInt(4);
        this.aggregateType = row.getBytes(5);
        this.aggregateId = row.getBytes(6);
        long v = row.getLong(7);
        this.aggregateVersion = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(v);
        this.topic = row.getBytes(8);
        this.key = row.getBytes(9);
        byte @Nullable [] json = row.getBytes(10);
        byte @Nullable [] bytes = json == null ? row.getBytes(11) : json;
        this.payload = bytes == null ? WITHHELD : bytes;
        @Nullable String declared = row.getString(12);
        this.payloadLength = bytes == null ? row.getInt(15) : bytes.length;
        this.contentType = declared == null ? JSON : declared;
        this.headers = row.getBytes(13);
        this.createdAt = instant(row.getBytes(14));
        this.attempts = attempts;
    }

    /** The driver hands out 16 bytes in binary transfer, 36 characters in text transfer. */
    private static Utf8 uuid(byte[] raw) {
        if (raw.length != 16) {
            return Utf8.wrap(raw);
        }
        byte[] text = new byte[36];
        int at = 0;
        for (int i = 0; i < 16; i++) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                text[at++] = '-';
            }
            text[at++] = HEX[(raw[i] >> 4) & 0xF];
            text[at++] = HEX[raw[i] & 0xF];
        }
        return Utf8.wrap(text);
    }

    /** Microseconds since 2000 in binary transfer, ISO-like text otherwise. */
    private static Instant instant(byte[] raw) {
        if (raw.length != 8) {
            return OffsetDateTime.parse(new String(raw, StandardCharsets.US_ASCII), TEXT_TIMESTAMP)
                    .toInstant();
        }
        long micros = ByteBuffer.wrap(raw).getLong();
        return Instant.ofEpochSecond(
                EPOCH_2000_SECONDS + Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
    }

    int payloadLength() {
        return payloadLength;
    }

    /** Whether the payload was too large to come along, and is still to be filled in. */
    boolean isWithheld() {
        return payload.length != payloadLength;
    }

    void fill(byte[] withheld) {
        payload = withheld;
    }

    /** Stands for the key in {@code waybill.parked}: of fixed size, and not personal data. Two keys that meet wait together. */
    UUID keyHash() {
        return UUID.nameUUIDFromBytes(orderKey().bytes());
    }

    @Override
    public Utf8 id() {
        return id;
    }

    @Override
    public Utf8 type() {
        return Utf8.wrap(type);
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public Utf8 aggregateType() {
        return Utf8.wrap(aggregateType);
    }

    @Override
    public Utf8 aggregateId() {
        return Utf8.wrap(aggregateId);
    }

    @Override
    public boolean numericAggregateId() {
        return false;
    }

    @Override
    public OptionalLong aggregateVersion() {
        return aggregateVersion;
    }

    @Override
    public @Nullable Utf8 topic() {
        return topic == null ? null : Utf8.wrap(topic);
    }

    @Override
    public @Nullable Utf8 key() {
        return key == null ? null : Utf8.wrap(key);
    }

    @Override
    public byte[] payload() {
        return payload;
    }

    @Override
    public String contentType() {
        return contentType;
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
        return attempts;
    }

    @Override
    public String toString() {
        return "JournalRow[" + seq + " " + id + " " + type() + "]";
    }
}
