package dev.waybill.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageReaderTest {

    @Test
    void a_duplicate_member_is_refused() {
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> MessageReader.envelope()
                        .read(message(
                                "{\"eventId\":\"e-1\",\"eventType\":\"placed\",\"data\":1,\"eventId\":\"forged\"}")))
                .withMessageContaining("two members of the same name");
    }

    @Test
    void the_data_of_an_envelope_are_read_byte_for_byte() {
        ReceivedEvent event = MessageReader.envelope()
                .read(message("{\"eventId\":\"e-1\",\"eventType\":\"placed\",\"version\":1,"
                        + "\"data\":  { \"total\" : 1.50e2, \"name\":\"Zo\\u00eb 🍰\",\"x\":[1 ,2]},"
                        + "\"metadata\":{\"traceId\":\"t\"}}"));

        assertThat(event.id()).isEqualTo("e-1");
        assertThat(event.type()).isEqualTo("placed");
        assertThat(event.dataText()).isEqualTo("{ \"total\" : 1.50e2, \"name\":\"Zo\\u00eb 🍰\",\"x\":[1 ,2]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1.50", "-0", "\"text\"", "null", "true", "[]", "\"ü\\n\"", "123456789012345678901234567890"})
    void data_of_every_kind_are_cut_out_exactly(String data) {
        String text = "{\"eventId\":\"e\",\"eventType\":\"t\",\"data\":" + data + " ,\"source\":\"s\"}";

        assertThat(MessageReader.envelope().read(message(text)).dataText()).isEqualTo(data);
    }

    @Test
    void a_number_in_a_notification_is_read_as_text() {
        ReceivedEvent event = MessageReader.notification()
                .read(message("{\"event_id\":\"evt-123-456\",\"event_type\":\"RESERVATION_REQUESTED\","
                        + "\"aggregate_type\":\"RESTAURANT\",\"aggregate_id\":5,\"payload\":{\"seats\":2}}"));

        assertThat(event.id()).isEqualTo("evt-123-456");
        assertThat(event.aggregateType()).contains("RESTAURANT");
        assertThat(event.aggregateId()).contains("5");
        assertThat(event.dataText()).isEqualTo("{\"seats\":2}");
    }

    @Test
    void the_headers_of_a_raw_message_are_read_in_both_spellings() {
        ReceivedEvent kafka =
                MessageReader.raw().read(message("body", header("event-id", "e-1"), header("event-type", "placed")));
        ReceivedEvent pubsub =
                MessageReader.raw().read(message("body", header("event_id", "e-1"), header("event_type", "placed")));

        assertThat(kafka.id()).isEqualTo(pubsub.id()).isEqualTo("e-1");
        assertThat(kafka.type()).isEqualTo(pubsub.type()).isEqualTo("placed");
        assertThat(kafka.dataText()).isEqualTo("body");
        assertThat(kafka.header("event-id")).contains("e-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "[]",
                "{\"eventId\":\"e\"",
                "{\"eventId\":\"e\",\"eventType\":\"t\"}",
                "{\"eventId\":\" \",\"eventType\":\"t\",\"data\":1}",
                "{\"eventId\":{},\"eventType\":\"t\",\"data\":1}",
                "{\"eventType\":\"t\",\"data\":1}",
                "{\"eventId\":\"e\",\"eventType\":\"t\",\"data\":1} x"
            })
    void an_invalid_envelope_is_malformed_and_not_quoted(String text) {
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> MessageReader.envelope().read(message(text)))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\"e\""));
    }

    @Test
    void a_raw_message_without_its_headers_is_malformed() {
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> MessageReader.raw().read(message("body")))
                .withMessageContaining("event-id");
    }

    @Test
    void an_id_that_is_not_utf8_is_malformed() {
        Header id = new Header("event-id", new byte[] {'e', (byte) 0x80});
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> MessageReader.raw().read(message("body", id, header("event-type", "placed"))))
                .withMessageContaining("event-id is not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "type"})
    void both_spellings_of_a_header_must_have_the_same_value(String name) {
        Header[] same = {
            header("event-id", "e"),
            header("event_id", "e"),
            header("event-type", "placed"),
            header("event_type", "placed")
        };
        assertThat(MessageReader.raw().read(message("body", same)).id()).isEqualTo("e");

        same[name.equals("id") ? 1 : 3] = header("event_" + name, "other");
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> MessageReader.raw().read(message("body", same)))
                .withMessage("The message's headers event-" + name + " and event_" + name + " have different values.");
    }

    static InboundMessage message(String text, Header... headers) {
        return new Arrived(text.getBytes(StandardCharsets.UTF_8), List.of(headers));
    }

    private static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private record Arrived(byte[] value, List<Header> headers) implements InboundMessage {
        @Override
        public String topic() {
            return "orders";
        }

        @Override
        public byte[] key() {
            return new byte[] {'k'};
        }

        @Override
        public Optional<Instant> sentAt() {
            return Optional.empty();
        }

        @Override
        public String place() {
            return "orders@1";
        }
    }
}
