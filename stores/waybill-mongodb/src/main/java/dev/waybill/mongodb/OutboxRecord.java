package dev.waybill.mongodb;

import com.mongodb.client.model.Projections;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** One document of the outbox, as it was read. */
final class OutboxRecord implements StoredEvent {
    /** Oldest first; within a millisecond by version of the entity, then by order of append. */
    static final Comparator<OutboxRecord> POSITION = Comparator.comparing(OutboxRecord::createdAt)
            .thenComparing(record -> record.aggregateVersion().orElse(Long.MIN_VALUE))
            .thenComparing(OutboxRecord::appendedAt)
            .thenComparing(record -> record.documentName());

    static final String JSON = "application/json";

    /** Fields for position and state; the others may be large. */
    static final Bson PLACE = Projections.include(
            Field.ID,
            Field.STATUS,
            Field.PARTITION_KEY,
            Field.OWN_KEY,
            Field.ENTITY_TYPE,
            Field.ENTITY_ID,
            Field.ENTITY_VERSION,
            Field.CREATED_AT,
            Field.APPENDED_AT,
            Field.LOCKED_BY,
            Field.WAYBILL);

    /** Without payload and headers. */
    static final Bson THIN = Projections.exclude(Field.PAYLOAD, Field.HEADERS);

    private final BsonDocument document;
    private final BsonValue id;
    private byte @Nullable [] payload;

    OutboxRecord(BsonDocument document) {
        this.document = document;
        this.id = document.getOrDefault(Field.ID, BsonNull.VALUE);
    }

    /** The id of the document, not of the event. */
    BsonValue documentId() {
        return id;
    }

    String documentName() {
        return text(id);
    }

    @Override
    public Utf8 id() {
        return Utf8.of(eventId());
    }

    String eventId() {
        return document.containsKey(Field.EVENT_ID) ? text(field(Field.EVENT_ID)) : text(id);
    }

    @Override
    public Utf8 type() {
        return Utf8.of(text(field(Field.EVENT_TYPE)));
    }

    @Override
    public int version() {
        return number(Field.EVENT_VERSION, 1);
    }

    @Override
    public Utf8 aggregateType() {
        return Utf8.of(text(field(Field.ENTITY_TYPE)));
    }

    @Override
    public Utf8 aggregateId() {
        return Utf8.of(text(field(Field.ENTITY_ID)));
    }

    @Override
    public boolean numericAggregateId() {
        return field(Field.ENTITY_ID).isNumber();
    }

    @Override
    public OptionalLong aggregateVersion() {
        BsonValue version = field(Field.ENTITY_VERSION);
        return version.isNumber() ? OptionalLong.of(version.asNumber().longValue()) : OptionalLong.empty();
    }

    @Override
    public @Nullable Utf8 topic() {
        BsonValue topic = field(Field.TOPIC);
        return topic.isNull() ? null : Utf8.of(text(topic));
    }

    /** By default the partition key is the entity's id; it counts as a stored key only if the application chose it. */
    @Override
    public @Nullable Utf8 key() {
        BsonValue key = field(Field.PARTITION_KEY);
        boolean entity = text(key).equals(text(field(Field.ENTITY_ID))) && !document.containsKey(Field.OWN_KEY);
        return key.isNull() || entity ? null : Utf8.of(text(key));
    }

    /** The value in the document, to find other records of the same key. */
    BsonValue partitionKey() {
        return field(Field.PARTITION_KEY);
    }

    @Override
    public byte[] payload() {
        byte[] bytes = payload;
        if (bytes == null) {
            bytes = read(field(Field.PAYLOAD));
            payload = bytes;
        }
        return bytes;
    }

    private static byte[] read(BsonValue stored) {
        if (stored.isBinary()) {
            return stored.asBinary().getData();
        }
        if (stored.isNull()) {
            return new byte[0];
        }
        String json = stored.isString() ? stored.asString().getValue() : BsonJson.write(stored);
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String contentType() {
        BsonValue type = field(Field.CONTENT_TYPE);
        return type.isNull() ? JSON : text(type);
    }

    @Override
    public @Nullable Utf8 headersJson() {
        BsonValue headers = field(Field.HEADERS);
        return headers.isNull() ? null : Utf8.wrap(read(headers));
    }

    @Override
    public Instant createdAt() {
        return instant(field(Field.CREATED_AT)).orElse(Instant.EPOCH);
    }

    private BsonTimestamp appendedAt() {
        BsonValue appended = field(Field.APPENDED_AT);
        return appended.isTimestamp() ? appended.asTimestamp() : new BsonTimestamp();
    }

    @Override
    public int attempts() {
        return number(Field.RETRY_COUNT, 0);
    }

    /** {@code max_retries} of the record: the number of failed sends, the first one included. */
    @Override
    public int maxAttempts() {
        return number(Field.MAX_RETRIES, Field.DEFAULT_MAX_RETRIES);
    }

    String status() {
        return text(field(Field.STATUS));
    }

    boolean isLockedBy(String worker) {
        return text(field(Field.LOCKED_BY)).equals(worker);
    }

    Optional<String> lastError() {
        BsonValue error = field(Field.LAST_ERROR);
        return error.isNull() ? Optional.empty() : Optional.of(text(error));
    }

    Optional<Instant> lastErrorAt() {
        return instant(field(Field.LAST_ERROR_AT));
    }

    Optional<Instant> publishedAt() {
        return instant(field(Field.PUBLISHED_AT));
    }

    /** Whether it failed before and waits for its retry, or is being retried. */
    boolean isRetry() {
        return isIn(Field.RETRY);
    }

    boolean isDueAt(Instant now) {
        return status().equals(Field.FAILED)
                && nextAttemptAt().filter(at -> !at.isAfter(now)).isPresent();
    }

    Optional<Instant> nextAttemptAt() {
        return instant(ours().getOrDefault("next_attempt_at", BsonNull.VALUE));
    }

    boolean isDead() {
        return status().equals(Field.FAILED) && !isRetry();
    }

    boolean holdsKey() {
        return isIn(Field.HOLDING);
    }

    /** How often it was sent. The count in a dead document only says that no retries are left. */
    int timesSent() {
        BsonValue sent = ours().getOrDefault("attempts", BsonNull.VALUE);
        return sent.isNumber() ? sent.asNumber().intValue() : attempts();
    }

    Optional<EventHistory.Discarded> discarded() {
        BsonValue note = ours().getOrDefault("discarded", BsonNull.VALUE);
        return note.isString()
                ? Optional.of(new EventHistory.Discarded(
                        instant(ours().getOrDefault("discarded_at", BsonNull.VALUE)),
                        note.asString().getValue()))
                : Optional.empty();
    }

    /** Its state; whether it is parked behind another record depends on that record. */
    EventHistory.State state(boolean keyIsClosed) {
        return switch (status()) {
            case Field.PUBLISHED ->
                discarded().isPresent() ? EventHistory.State.DISCARDED : EventHistory.State.PUBLISHED;
            case Field.FAILED -> isRetry() ? EventHistory.State.PARKED : EventHistory.State.DEAD;
            case Field.PROCESSING -> isRetry() ? EventHistory.State.PARKED : EventHistory.State.PENDING;
            default -> keyIsClosed ? EventHistory.State.PARKED : EventHistory.State.PENDING;
        };
    }

    boolean isMeantBy(EventFilter filter) {
        return filter.admits(
                type().toString(),
                aggregateType().toString(),
                aggregateId().toString(),
                orderKey().toString(),
                createdAt());
    }

    private boolean isIn(String state) {
        return text(ours().getOrDefault("state", BsonNull.VALUE)).equals(state);
    }

    private BsonDocument ours() {
        BsonValue ours = field(Field.WAYBILL);
        return ours.isDocument() ? ours.asDocument() : new BsonDocument();
    }

    private BsonValue field(String name) {
        return document.getOrDefault(name, BsonNull.VALUE);
    }

    private int number(String name, int otherwise) {
        BsonValue value = field(name);
        return value.isNumber() ? value.asNumber().intValue() : otherwise;
    }

    private static Optional<Instant> instant(BsonValue value) {
        return value.isDateTime()
                ? Optional.of(Instant.ofEpochMilli(value.asDateTime().getValue()))
                : Optional.empty();
    }

    private static String text(BsonValue value) {
        if (value.isNull()) {
            return "";
        }
        if (value.isString()) {
            return value.asString().getValue();
        }
        String json = BsonJson.write(value);
        return json.startsWith("\"") ? json.substring(1, json.length() - 1) : json;
    }

    /** Names the record without payload, key and headers: those may be personal data. */
    @Override
    public String toString() {
        return "OutboxRecord[" + eventId() + " " + status() + "]";
    }
}
