package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event of the journal, kept as the bytes that the driver received. Text columns are the same in every transfer format. */
final class JournalRow implements StoredEvent {
    private static final long EPOCH_2000_SECONDS = 946_684_800L;
    private static final DateTimeFormatter TEXT_TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendOffset("+HH:mm:ss", "+00")
            .toFormatter();
    private static final String JSON = "application/json";
    private static final byte[] NOTHING = new byte[0];

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
    private @Nullable String declaredType;
    private byte @Nullable [] headers;
    private @Nullable Withheld withheld;
    private final Instant createdAt;
    private final int attempts;
    private final @Nullable String unreadable;

    /** Lengths of the columns that were withheld. */
    private record Withheld(long payload, long headers, long contentType) {
        static @Nullable Withheld parse(@Nullable String lengths) {
            if (lengths == null) {
                return null;
            }
            String[] each = lengths.split(",", -1);
            return new Withheld(Long.parseLong(each[0]), Long.parseLong(each[1]), Long.parseLong(each[2]));
        }

        long bytes() {
            return payload + headers + contentType;
        }

        long largest() {
            return Math.max(payload, Math.max(headers, contentType));
        }
    }

    /**
     * Reads the columns of {@link EventPage#COLUMNS}.
     *
     * @throws SQLException also if a value cannot be decoded
     */
    static JournalRow read(ResultSet row, int attempts) throws SQLException {
        try {
            return new JournalRow(row, attempts);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new SQLDataException("a value cannot be decoded (" + e.getClass().getSimpleName() + ")", "22000", e);
        }
    }

    /** @param values the columns that can be read, by name */
    static JournalRow damaged(long seq, int attempts, Map<String, byte[]> values, String reason) {
        return new JournalRow(seq, attempts, values, reason);
    }

    private JournalRow(long seq, int attempts, Map<String, byte[]> values, String reason) {
        this.seq = seq;
        this.id = UuidForm.text(values.getOrDefault("id", new byte[16]));
        this.type = values.getOrDefault("type", NOTHING);
        this.version = 0;
        this.aggregateType = values.getOrDefault("aggregate_type", NOTHING);
        this.aggregateId = values.getOrDefault("aggregate_id", NOTHING);
        this.aggregateVersion = OptionalLong.empty();
        this.topic = values.get("topic");
        this.key = values.get("key");
        this.payload = NOTHING;
        byte @Nullable [] created = values.get("created_at");
        this.createdAt = created == null ? Instant.EPOCH : instant(created);
        this.attempts = attempts;
        this.unreadable = reason;
    }

    private JournalRow(ResultSet row, int attempts) throws SQLException {
        this.seq = row.getLong(1);
        this.id = UuidForm.text(row.getBytes(2));
        this.type = row.getBytes(3);
        this.version = row.getInt(4);
        this.aggregateType = row.getBytes(5);
        this.aggregateId = row.getBytes(6);
        long v = row.getLong(7);
        this.aggregateVersion = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(v);
        this.topic = row.getBytes(8);
        this.key = row.getBytes(9);
        this.withheld = Withheld.parse(row.getString(15));
        this.payload = withheld == null ? payload(row.getBytes(10), row, 11) : NOTHING;
        this.declaredType = withheld == null ? row.getString(12) : "";
        this.headers = withheld == null ? row.getBytes(13) : null;
        this.createdAt = instant(row.getBytes(14));
        this.attempts = attempts;
        this.unreadable = null;
    }

    private static byte[] payload(byte @Nullable [] json, ResultSet row, int orElse) throws SQLException {
        byte @Nullable [] bytes = json == null ? row.getBytes(orElse) : json;
        return bytes == null ? NOTHING : bytes;
    }

    /** Microseconds since 2000 in binary transfer, ISO-like text otherwise. */
    private static Instant instant(byte[] raw) {
        if (raw.length != 8) {
            return instant(new String(raw, StandardCharsets.US_ASCII));
        }
        // The text "infinity" also has 8 bytes; as a number it is beyond the latest time.
        long micros = ByteBuffer.wrap(raw).getLong();
        return FourDigitYears.nearest(Instant.ofEpochSecond(
                EPOCH_2000_SECONDS + Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L));
    }

    /** PostgreSQL has years BC, years of five digits and more, and -infinity. */
    private static Instant instant(String text) {
        if (text.startsWith("-") || text.endsWith("BC")) {
            return FourDigitYears.EARLIEST;
        }
        return text.indexOf('-') > 4
                ? FourDigitYears.LATEST
                : FourDigitYears.nearest(
                        OffsetDateTime.parse(text, TEXT_TIMESTAMP).toInstant());
    }

    /** Whether large columns are missing: still to be fetched, or too large to be sent. */
    @Override
    public boolean isWithheld() {
        return withheld != null;
    }

    @Override
    public Optional<String> unreadable() {
        return Optional.ofNullable(unreadable);
    }

    /** Whether a single column has more bytes than this. */
    boolean isLargerThan(long bytes) {
        return withheld != null && withheld.largest() > bytes;
    }

    /** Reads the columns of {@link EventPage#WITHHELD}. */
    void fill(ResultSet row) throws SQLException {
        payload = payload(row.getBytes(2), row, 3);
        declaredType = row.getString(4);
        headers = row.getBytes(5);
        withheld = null;
    }

    @Override
    public long bytes() {
        long large = withheld == null
                ? (long) payload.length + contentType().length() + (headers == null ? 0 : headers.length)
                : withheld.bytes();
        return large + smallBytes();
    }

    /** Bytes of the columns that are never withheld. */
    int smallBytes() {
        return id.bytes().length
                + type.length
                + aggregateType.length
                + aggregateId.length
                + (topic == null ? 0 : topic.length)
                + (key == null ? 0 : key.length);
    }

    /** The key in {@code waybill.parked}: of fixed size, and no personal data. Keys with equal hashes wait for each other. */
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
        return declaredType == null ? JSON : declaredType;
    }

    /** Only binary payloads have a declared type; the other column is of type json. */
    @Override
    public boolean isKnownJson() {
        return declaredType == null;
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
