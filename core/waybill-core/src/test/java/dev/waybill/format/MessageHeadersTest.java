package dev.waybill.format;

import static dev.waybill.format.SampleEvent.PLACED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageHeadersTest {
    private final Format raw = Format.raw();
    private final Format envelope = Format.envelope("order-service");

    @Test
    void raw_sends_the_payload_unchanged() {
        byte[] payload = {0, -1, 7};
        assertThat(raw.format(PLACED.withPayload(payload, "application/protobuf"))
                        .value())
                .isSameAs(payload);
    }

    @Test
    void every_message_has_headers_for_id_type_and_content_type() {
        assertThat(lines(raw.format(PLACED.withPayload(new byte[] {1}, "application/protobuf"))))
                .containsExactly(
                        "event-id=0198a6c0-7a52-7000-8000-000000000001",
                        "event-type=order.order.placed.v1",
                        "content-type=application/protobuf");
        assertThat(lines(envelope.format(PLACED)))
                .containsExactly(
                        "event-id=0198a6c0-7a52-7000-8000-000000000001",
                        "event-type=order.order.placed.v1",
                        "content-type=application/json");
    }

    @Test
    void as_attributes_a_message_carries_exactly_five() {
        assertThat(lines(Format.raw(HeaderStyle.ATTRIBUTES).format(PLACED)))
                .containsExactly(
                        "event_id=0198a6c0-7a52-7000-8000-000000000001",
                        "event_type=order.order.placed.v1",
                        "aggregate_type=Order",
                        "aggregate_id=o-7",
                        "created_at=2026-11-15T08:30:00.123456Z");
    }

    @Test
    void as_attributes_a_body_that_is_not_json_is_named_too() {
        assertThat(lines(Format.raw(HeaderStyle.ATTRIBUTES)
                        .format(PLACED.withPayload(new byte[] {1}, "application/protobuf"))))
                .hasSize(6)
                .endsWith("created_at=2026-11-15T08:30:00.123456Z", "content_type=application/protobuf");
    }

    @Test
    void as_attributes_own_headers_cannot_replace_those_of_the_event() {
        SampleEvent event = PLACED.withHeaders("{\"event_id\":\"forged\",\"aggregate_id\":\"forged\","
                + "\"created_at\":\"forged\",\"content_type\":\"forged\",\"tenant\":\"t\",\"event-id\":\"mine\"}");
        assertThat(lines(Format.raw(HeaderStyle.ATTRIBUTES).format(event)))
                .hasSize(6)
                .contains("event_id=0198a6c0-7a52-7000-8000-000000000001")
                .endsWith("tenant=t");
    }

    @Test
    void as_debezium_a_message_has_its_id_and_if_asked_for_its_type() {
        SampleEvent event = PLACED.withHeaders("{\"id\":\"forged\",\"eventType\":\"forged\",\"tenant\":\"t\"}");
        assertThat(lines(Format.raw(HeaderStyle.DEBEZIUM).format(PLACED)))
                .containsExactly("id=0198a6c0-7a52-7000-8000-000000000001");
        assertThat(lines(Format.raw(HeaderStyle.DEBEZIUM_WITH_TYPE).format(event)))
                .containsExactly(
                        "id=0198a6c0-7a52-7000-8000-000000000001", "eventType=order.order.placed.v1", "tenant=t");
    }

    @Test
    void own_headers_cannot_replace_those_of_a_dead_letter() {
        SampleEvent event = PLACED.withHeaders(
                "{\"dead-letter-done\":\"x\",\"Dead-Letter-Topic\":\"y\",\"tenant\":\"t\",\"Event-Id\":\"z\"}");
        assertThat(lines(raw.format(event))).hasSize(4).endsWith("tenant=t");
    }

    @Test
    void formats_have_names() {
        assertThat(List.of(Format.raw(), Format.notification(), envelope))
                .extracting(Object::toString)
                .containsExactly("raw", "notification", "envelope from order-service");
    }

    @Test
    void own_headers_follow_in_order_and_cannot_replace_those_of_the_event() {
        SampleEvent event = PLACED.withHeaders("{\"traceparent\":\"00-a-b-01\",\"event-id\":\"forged\","
                + "\"tenant\":\"é\",\"content-type\":\"x\",\"event-type\":\"y\",\"userId\":\"u\"}");
        for (Format format : List.of(raw, envelope, Format.notification())) {
            assertThat(lines(format.format(event)))
                    .containsExactly(
                            "event-id=0198a6c0-7a52-7000-8000-000000000001",
                            "event-type=order.order.placed.v1",
                            "content-type=application/json",
                            "traceparent=00-a-b-01",
                            "tenant=é",
                            "userId=u");
        }
    }

    @Test
    void header_numbers_and_booleans_become_text_and_null_is_left_out() {
        assertThat(lines(raw.format(PLACED.withHeaders("{\"n\":1.50,\"b\":true,\"x\":null,\"e\":\"\"}"))))
                .endsWith("n=1.50", "b=true", "e=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[]", "\"SECRET\"", "{\"a\":{\"b\":\"SECRET\"}}", "{\"a\":[1]}", "{\"a\":\"SECRET", "{a:1}"})
    void invalid_headers_are_refused_without_quoting_them(String headers) {
        assertThatThrownBy(() -> raw.format(PLACED.withHeaders(headers)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(PLACED.id().toString())
                .hasMessageContaining("store a JSON object of strings")
                .hasMessageNotContaining("SECRET")
                .hasNoCause();
    }

    @Test
    void the_text_of_a_formatted_event_shows_no_content() {
        Formatted formatted = raw.format(PLACED.withPayload("\"SECRET\"").withHeaders("{\"h\":\"SECRET\"}"));
        assertThat(formatted).hasToString("Formatted[8 bytes, 4 headers]");
    }

    private static List<String> lines(Formatted formatted) {
        return formatted.headers().stream().map(MessageHeadersTest::line).toList();
    }

    private static String line(Header header) {
        return header.name() + "=" + new String(header.value(), StandardCharsets.UTF_8);
    }
}
