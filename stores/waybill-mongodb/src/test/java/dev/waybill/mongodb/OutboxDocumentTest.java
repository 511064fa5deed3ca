package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The document of an event, as applications and people find it. */
class OutboxDocumentTest {
    private final OutboxScene scene = new OutboxScene();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void a_record_has_the_fields_of_its_document_and_no_others() {
        scene.append(Event.of("user.created")
                .aggregate("user", "65a1b2c3")
                .payload(Payload.json("{\"event_id\":\"e1\",\"data\":{\"name\":\"Zoë\",\"tags\":[1,true,null]}}"))
                .id("e1")
                .aggregateVersion(5)
                .topic("sc.domain.user"));

        Document record = scene.record("e1");
        assertThat(record.get("created_at")).isInstanceOf(Date.class);
        record.remove("_id");
        record.remove("created_at");
        assertThat(record.remove("appended_at")).isInstanceOf(BsonTimestamp.class);
        assertThat(record)
                .isEqualTo(new Document("event_id", "e1")
                        .append("event_type", "user.created")
                        .append("entity_type", "user")
                        .append("entity_id", "65a1b2c3")
                        .append("entity_version", 5L)
                        .append("topic", "sc.domain.user")
                        .append("partition_key", "65a1b2c3")
                        .append(
                                "payload",
                                Document.parse("{event_id: 'e1', data: {name: 'Zoë', tags: [1, true, null]}}"))
                        .append("status", "pending")
                        .append("retry_count", 0)
                        .append("max_retries", 5)
                        .append("last_error", null)
                        .append("last_error_at", null)
                        .append("processing_started_at", null)
                        .append("published_at", null)
                        .append("locked_by", null)
                        .append("locked_until", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"b\":[1,2.5,\"x\"],\"c\":null},\"d\":true,\"e\":12345678901}",
                "{}",
                "{\"text\":\"Zoë \\\" \\\\ \\n 注文 🚚\"}"
            })
    void a_json_object_is_kept_as_a_document(String json) {
        assertThat(stored(json)).isInstanceOf(Document.class);
        assertThat(sent()).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ \"a\": 1 }",
                "{\"n\":1.50}",
                "{\"n\":1e3}",
                "{\"n\":123456789012345678901234567890}",
                "{\"a\":1,\"a\":2}",
                "{\"a.b\":1}",
                "{\"$oid\":\"65a1b2c3d4e5f60718293a4b\"}",
                "{\"at\":{\"$date\":\"2024-02-05T10:30:00Z\"}}",
                "{\"e\":\"\\u00eb\\/\"}",
                "[1,2]",
                "\"text\"",
                "null"
            })
    void json_that_a_document_would_change_is_kept_as_text(String json) {
        assertThat(stored(json)).isEqualTo(json);
        assertThat(sent()).isEqualTo(json);
    }

    private Object stored(String json) {
        scene.append(Event.of("user.created")
                .aggregate("user", "u1")
                .payload(Payload.json(json))
                .id("e1"));
        return scene.record("e1").get("payload");
    }

    private String sent() {
        RelaySession session = scene.open("one");
        List<StoredEvent> events =
                session.claim(OutboxScene.PLENTY).orElseThrow().events();
        return new String(events.get(0).payload(), StandardCharsets.UTF_8);
    }

    @Test
    void a_document_of_another_writer_is_sent_as_json() {
        Document payload = new Document("id", new ObjectId("65a1b2c3d4e5f60718293a4b"))
                .append("at", Instant.parse("2024-02-05T10:30:00.250Z"))
                .append("price", Decimal128.parse("12.50"))
                .append("bytes", new byte[] {1, 2, 3})
                .append("nan", Double.NaN)
                .append("tab", "\t\u0001")
                .append("list", List.of(1, 2L, 0.5, new Document()));
        scene.records()
                .insertOne(OutboxScene.foreign("e1", "u1", 1, Instant.now()).append("payload", payload));

        assertThat(sent())
                .isEqualTo("{\"id\":\"65a1b2c3d4e5f60718293a4b\",\"at\":\"2024-02-05T10:30:00.250Z\",\"price\":12.50,"
                        + "\"bytes\":\"AQID\",\"nan\":null,\"tab\":\"\\t\\u0001\",\"list\":[1,2,0.5,{}]}");
    }

    @Test
    void a_string_of_another_writer_is_sent_unchanged() {
        scene.records()
                .insertOne(OutboxScene.foreign("e1", "u1", 1, Instant.now()).append("payload", "<order/>"));

        assertThat(sent()).isEqualTo("<order/>");
    }

    @Test
    void headers_with_names_that_mongodb_refuses_are_kept_as_text() {
        scene.append(Event.of("user.created")
                .aggregate("user", "u1")
                .payload(Payload.json("{}"))
                .id("e1")
                .header("x.trace", "1")
                .header("$y", "2"));

        assertThat(scene.record("e1").get("headers")).isEqualTo("{\"x.trace\":\"1\",\"$y\":\"2\"}");
        StoredEvent event = scene.open("one")
                .claim(OutboxScene.PLENTY)
                .orElseThrow()
                .events()
                .get(0);
        assertThat(event.headersJson()).hasToString("{\"x.trace\":\"1\",\"$y\":\"2\"}");
    }

    @Test
    void a_payload_that_is_too_large_is_refused_before_anything_is_written() {
        Event large = Event.of("user.created")
                .aggregate("user", "u1")
                .payload(Payload.json("\"" + "x".repeat(1_000_000) + "\""))
                .id("e1");

        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> scene.append(large))
                .withMessageContaining("e1")
                .withMessageContaining("1000002 bytes")
                .withMessageContaining("MongoOutboxOptions.maxPayloadBytes");
        assertThat(scene.records().countDocuments()).isZero();
    }

    @Test
    void the_text_of_a_record_contains_no_personal_data() {
        scene.append(OutboxScene.event("e1", "secret-entity"));
        StoredEvent event = scene.open("one")
                .claim(OutboxScene.PLENTY)
                .orElseThrow()
                .events()
                .get(0);

        assertThat(event).hasToString("OutboxRecord[e1 pending]");
    }
}
