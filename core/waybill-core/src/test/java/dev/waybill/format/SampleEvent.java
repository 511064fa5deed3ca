package dev.waybill.format;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An event as a store would give it, each part changed as a test needs it. */
public record SampleEvent(
        Utf8 id,
        Utf8 type,
        int version,
        @Nullable Utf8 topic,
        @Nullable Utf8 key,
        byte[] payload,
        String contentType,
        @Nullable Utf8 headersJson,
        Instant createdAt,
        Aggregate aggregate)
        implements StoredEvent {

    public record Aggregate(Utf8 type, Utf8 id, boolean numeric) {}

    public static final SampleEvent PLACED = new SampleEvent(
            Utf8.of("0198a6c0-7a52-7000-8000-000000000001"),
            Utf8.of("order.order.placed.v1"),
            1,
            null,
            null,
            "{\"n\":1}".getBytes(StandardCharsets.UTF_8),
            "application/json",
            null,
            Instant.parse("2026-11-15T08:30:00.123456Z"),
            new Aggregate(Utf8.of("Order"), Utf8.of("o-7"), false));

    public SampleEvent withId(String other) {
        return new SampleEvent(
                Utf8.of(other), type, version, topic, key, payload, contentType, headersJson, createdAt, aggregate);
    }

    public SampleEvent withType(String other) {
        return new SampleEvent(
                id, Utf8.of(other), version, topic, key, payload, contentType, headersJson, createdAt, aggregate);
    }

    public SampleEvent withVersion(int other) {
        return new SampleEvent(id, type, other, topic, key, payload, contentType, headersJson, createdAt, aggregate);
    }

    public SampleEvent withTopic(String other) {
        return new SampleEvent(
                id, type, version, Utf8.of(other), key, payload, contentType, headersJson, createdAt, aggregate);
    }

    public SampleEvent withKey(String other) {
        return new SampleEvent(
                id, type, version, topic, Utf8.of(other), payload, contentType, headersJson, createdAt, aggregate);
    }

    public SampleEvent withPayload(String json) {
        return withPayload(json.getBytes(StandardCharsets.UTF_8), "application/json");
    }

    public SampleEvent withPayload(byte[] bytes, String ofType) {
        return new SampleEvent(id, type, version, topic, key, bytes, ofType, headersJson, createdAt, aggregate);
    }

    public SampleEvent withHeaders(String json) {
        return new SampleEvent(
                id, type, version, topic, key, payload, contentType, Utf8.of(json), createdAt, aggregate);
    }

    public SampleEvent withCreatedAt(Instant other) {
        return new SampleEvent(id, type, version, topic, key, payload, contentType, headersJson, other, aggregate);
    }

    public SampleEvent withAggregate(String ofType, String aggregateId) {
        return with(new Aggregate(Utf8.of(ofType), Utf8.of(aggregateId), false));
    }

    public SampleEvent withNumericAggregate(String ofType, String number) {
        return with(new Aggregate(Utf8.of(ofType), Utf8.of(number), true));
    }

    private SampleEvent with(Aggregate other) {
        return new SampleEvent(id, type, version, topic, key, payload, contentType, headersJson, createdAt, other);
    }

    @Override
    public Utf8 aggregateType() {
        return aggregate.type;
    }

    @Override
    public Utf8 aggregateId() {
        return aggregate.id;
    }

    @Override
    public boolean numericAggregateId() {
        return aggregate.numeric;
    }

    @Override
    public OptionalLong aggregateVersion() {
        return OptionalLong.empty();
    }

    @Override
    public int attempts() {
        return 0;
    }
}
