package dev.waybill.format;

import static dev.waybill.format.SampleEvent.PLACED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EnvelopeTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private final Format envelope = Format.envelope("order-service");

    /** The first one closes "data" and writes an id and a type of its own, which a reader would take for the event's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1,\"eventId\":\"forged\",\"eventType\":\"payment.succeeded\",\"data\":{}",
                "{} {}",
                "{\"open\":1",
                "{}}",
                "not json",
                "\ufeff{}"
            })
    void a_text_that_is_not_one_json_value_is_never_spliced(String payload) {
        SampleEvent event = PLACED.withPayload(payload.getBytes(StandardCharsets.UTF_8), "application/json");
        for (Format format : new Format[] {envelope, Format.notification()}) {
            assertThatThrownBy(() -> format.format(event))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("is not JSON");
        }
    }

    @Test
    void an_event_without_headers_has_exactly_these_bytes() {
        assertThat(text(PLACED))
                .isEqualTo("{\"eventId\":\"0198a6c0-7a52-7000-8000-000000000001\","
                        + "\"timestamp\":\"2026-11-15T08:30:00.123456Z\","
                        + "\"eventType\":\"order.order.placed.v1\",\"version\":1,\"source\":\"order-service\","
                        + "\"data\":{\"n\":1},"
                        + "\"metadata\":{\"idempotencyKey\":\"0198a6c0-7a52-7000-8000-000000000001\"}}");
    }

    @Test
    void the_metadata_come_from_the_headers_in_a_fixed_order() {
        SampleEvent event = PLACED.withId("e1")
                .withHeaders("{\"userId\":\"u\",\"idempotencyKey\":\"k\",\"correlationId\":\"c\","
                        + "\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}");
        assertThat(text(event))
                .endsWith("\"metadata\":{\"traceId\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"correlationId\":\"c\","
                        + "\"idempotencyKey\":\"k\",\"userId\":\"u\"}}");
    }

    @Test
    void metadata_that_are_not_given_are_left_out_and_the_idempotency_key_is_the_id() {
        assertThat(text(PLACED.withId("e1").withHeaders("{\"userId\":\"u\"}")))
                .endsWith("\"metadata\":{\"idempotencyKey\":\"e1\",\"userId\":\"u\"}}");
        assertThat(text(PLACED.withId("e1").withHeaders("{}"))).endsWith("\"metadata\":{\"idempotencyKey\":\"e1\"}}");
    }

    @ParameterizedTest
    @CsvSource({"00-abc-def-01, abc", "nonsense, t", "00-, t", "00--x, t", "-a-, a"})
    void the_trace_id_is_the_second_field_of_traceparent_or_else_the_header_trace_id(String traceparent, String id) {
        SampleEvent event = PLACED.withHeaders("{\"traceId\":\"t\",\"traceparent\":\"" + traceparent + "\"}");
        assertThat(parsed(event).get("metadata").get("traceId").asString()).isEqualTo(id);
    }

    @Test
    void text_is_escaped_in_every_field() {
        String nasty = "q\"b\\s/\b\t\n\f\r\u0001\u001f é漢😀\u2028";
        SampleEvent event = PLACED.withId(nasty)
                .withType(nasty)
                .withHeaders(JSON.writeValueAsString(Map.of("userId", nasty, "correlationId", nasty)));
        JsonNode message = JSON.readTree(Format.envelope(nasty).format(event).value());
        assertThat(message.get("eventId").asString()).isEqualTo(nasty);
        assertThat(message.get("eventType").asString()).isEqualTo(nasty);
        assertThat(message.get("source").asString()).isEqualTo(nasty);
        assertThat(message.get("metadata").get("userId").asString()).isEqualTo(nasty);
        assertThat(message.get("metadata").get("correlationId").asString()).isEqualTo(nasty);
        assertThat(message.get("metadata").get("idempotencyKey").asString()).isEqualTo(nasty);
        assertThat(text(event)).contains("\"eventType\":\"q\\\"b\\\\s/\\b\\t\\n\\f\\r\\u0001\\u001f é漢😀\u2028\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " \n\t{ \"b\" : 1.10,\r\n \"a\":\"\\u00e9 é 漢 😀\" }\n ",
                "[]",
                "null",
                "\"text\"",
                "1e400",
                "{\"same\":1,\"same\":2}"
            })
    void the_payload_is_spliced_unchanged(String payload) {
        assertThat(text(PLACED.withPayload(payload))).contains(",\"data\":" + payload + ",\"metadata\":");
    }

    @Test
    void a_payload_of_a_megabyte_is_spliced_whole() {
        String large = "\"" + "é7".repeat(350_000) + "\"";
        assertThat(text(PLACED.withPayload(large)))
                .isEqualTo(text(PLACED.withPayload("0")).replace("\"data\":0", "\"data\":" + large));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "99, 99", "100, 100", "-1, -1", "2147483647, 2147483647"})
    void the_version_is_a_number(int version, String text) {
        assertThat(text(PLACED.withVersion(version))).contains(",\"version\":" + text + ",");
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000000Z",
        "1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999999Z",
        "2024-02-29T12:00:00.000001Z, 2024-02-29T12:00:00.000001Z",
        "2026-11-15T08:30:00.123456789Z, 2026-11-15T08:30:00.123456Z",
        "9999-12-31T23:59:59.999999Z, 9999-12-31T23:59:59.999999Z",
        "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000000Z",
        "+10000-01-01T00:00:00Z, +10000-01-01T00:00:00Z",
        "-0001-12-31T00:00:00Z, -0001-12-31T00:00:00Z"
    })
    void the_timestamp_is_iso_8601_to_the_microsecond(Instant createdAt, String text) {
        assertThat(text(PLACED.withCreatedAt(createdAt))).contains("\"timestamp\":\"" + text + "\"");
    }

    @Test
    void a_binary_payload_is_refused_with_the_remedy_and_without_its_bytes() {
        SampleEvent event = PLACED.withPayload("SECRET".getBytes(StandardCharsets.UTF_8), "application/protobuf");
        assertThatThrownBy(() -> envelope.format(event))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(PLACED.id().toString())
                .hasMessageContaining("6 bytes of application/protobuf")
                .hasMessageContaining("raw")
                .hasMessageNotContaining("SECRET");
    }

    @Test
    void an_empty_payload_is_refused() {
        assertThatThrownBy(() -> envelope.format(PLACED.withPayload("")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("empty");
    }

    @Test
    void a_source_without_a_name_is_refused_at_once() {
        assertThatThrownBy(() -> Format.envelope(" ")).hasMessageContaining("order-service");
    }

    private JsonNode parsed(SampleEvent event) {
        return JSON.readTree(envelope.format(event).value());
    }

    private String text(SampleEvent event) {
        return new String(envelope.format(event).value(), StandardCharsets.UTF_8);
    }
}
