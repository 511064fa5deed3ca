package dev.waybill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "\"text\"",
                "-0.0e+10",
                " \t\r\n{ \"a\" : [ 1 , 2.50, 1E400 ] } \n",
                "{\"a\":1,\"a\":2}",
                "\"\\ud83d\\ude9a 🚚 \\u0000 \\/\"",
            })
    void one_json_value_is_kept_byte_for_byte(String json) {
        Payload payload = Payload.json(json);

        assertThat(payload.bytes()).isEqualTo(json.getBytes(StandardCharsets.UTF_8));
        assertThat(payload.contentType()).isEqualTo("application/json");
        assertThat(payload.size()).isEqualTo(payload.bytes().length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\":1",
                "[1,",
                "[1,]",
                "\"text",
                "tru",
                "truely",
                "-",
                "1.",
                "01",
                "{a:1}",
                "{'a':1}",
                "{\"a\" 1}",
                "NaN",
                "[1]]",
                "{}}",
                "// comment\n{}",
                "\"line\nbreak\"",
                "\"\\x\"",
                "\ufeff{}",
            })
    void text_that_is_not_json_is_refused_with_the_remedy(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json(text))
                .withMessageStartingWith("The payload (" + bytes + " bytes) is not JSON: ")
                .withMessageEndingWith("Send one JSON value in UTF-8, or declare the bytes with Payload.binary.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t"})
    void empty_text_is_not_json(String text) {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json(text))
                .withMessageContaining("is not JSON: it is empty.");
    }

    @Test
    void a_second_value_is_refused_with_its_place() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json("{\"a\":1} {\"b\":2}"))
                .withMessageContaining("a second value follows the first at character 8");
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json("1 2"))
                .withMessageContaining("a second value follows");
    }

    @Test
    void bytes_that_are_not_utf_8_are_refused() {
        byte[] latin1 = "\"Zoë\"".getBytes(StandardCharsets.ISO_8859_1);
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json(latin1))
                .withMessageContaining("it is not valid UTF-8");
    }

    @Test
    void json_in_another_encoding_is_refused() {
        for (var encoding : List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
            assertThatExceptionOfType(InvalidEventException.class)
                    .as("in %s", encoding)
                    .isThrownBy(() -> Payload.json("{\"a\":1}".getBytes(encoding)))
                    .withMessageContaining("is not JSON");
        }
    }

    @Test
    void text_that_utf_8_cannot_encode_is_refused() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json("\"half a truck: \ud83d\""))
                .withMessageContaining("is not JSON");
    }

    @Test
    void nesting_is_limited() {
        assertThat(Payload.json("[".repeat(400) + "]".repeat(400)).size()).isEqualTo(800);
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json("[".repeat(100_000) + "]".repeat(100_000)))
                .withMessageContaining("(200000 bytes) is not JSON: it exceeds the parser's limits (500 levels");
    }

    @Test
    void a_large_payload_is_accepted() {
        String json = "\"" + "x".repeat(30_000_000) + "\"";

        assertThat(Payload.json(json).size()).isEqualTo(30_000_002);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"secretvalue\",secretvalue}",
                "secretvalue",
                "{\"secretvalue\":tsecretvalue}",
                "[1.secretvalue]"
            })
    void the_refusal_shows_nothing_of_the_payload(String json) {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json(json))
                .satisfies(e -> assertThat(everythingSaid(e)).doesNotContain("secretvalue"));
    }

    @Test
    void a_change_to_the_given_array_does_not_reach_the_payload() {
        byte[] json = "{}".getBytes(StandardCharsets.UTF_8);
        byte[] binary = {1, 2};
        Payload first = Payload.json(json);
        Payload second = Payload.binary(binary, "application/x");
        json[0] = 'x';
        binary[0] = 9;

        assertThat(first).isEqualTo(Payload.json("{}"));
        assertThat(second).isEqualTo(Payload.binary(new byte[] {1, 2}, "application/x"));
    }

    record Placed(
            String id,
            Instant at,
            LocalDate due,
            List<Line> lines,
            Optional<String> note,
            Map<String, Integer> counts) {}

    record Line(String sku, int quantity) {}

    @Test
    void the_application_can_supply_its_own_writer() {
        Payload payload = Payload.json(List.of(1, 2), list -> list.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(payload).isEqualTo(Payload.json("[1, 2]"));

        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json("x", text -> text.getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("is not JSON");
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.json("secret", text -> {
                    throw new IOException("no " + text);
                }))
                .withMessage(
                        "The writer failed with java.io.IOException on java.lang.String: correct the writer or the object.");
    }

    @Test
    void a_record_with_dates_becomes_json() {
        Placed placed = new Placed(
                "o-1",
                Instant.parse("2026-03-01T10:15:30.123Z"),
                LocalDate.of(2026, 3, 8),
                List.of(new Line("s", 2)),
                Optional.empty(),
                Map.of("n", 1));

        assertThat(new String(Payload.jsonOf(placed).bytes(), StandardCharsets.UTF_8))
                .contains("\"at\":\"2026-03-01T10:15:30.123Z\"")
                .contains("\"due\":\"2026-03-08\"")
                .contains("\"lines\":[{\"")
                .contains("\"quantity\":2")
                .contains("\"note\":null")
                .contains("\"counts\":{\"n\":1}");
    }

    static final class Circular {
        public Circular getSelf() {
            return this;
        }
    }

    @Test
    void an_object_that_cannot_be_written_is_refused_with_the_remedy() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.jsonOf(new Circular()))
                .withMessageStartingWith("Jackson cannot write " + Circular.class.getName() + " as JSON (")
                .withMessageEndingWith("or write the JSON yourself and use Payload.json.");
    }

    @Test
    void a_binary_payload_needs_its_content_type() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Payload.binary(new byte[] {1}, " "))
                .withMessage("The event has no content type: set it, as in \"application/protobuf\".");
        assertThat(Payload.binary(new byte[] {1}, "application/x").contentType())
                .isEqualTo("application/x");
    }

    @Test
    void payloads_are_equal_by_their_bytes_and_show_only_their_size() {
        Payload one = Payload.json("[1]");
        assertThat(one).isEqualTo(Payload.json("[1]")).hasSameHashCodeAs(Payload.json("[1]"));
        assertThat(one).isNotEqualTo(Payload.json("[2]"));
        assertThat(one).hasToString("Json[3 bytes]");
        Payload binary = Payload.binary(new byte[] {1}, "a/b");
        assertThat(binary).isEqualTo(Payload.binary(new byte[] {1}, "a/b"));
        assertThat(binary).isNotEqualTo(Payload.binary(new byte[] {1}, "a/c"));
        assertThat(binary).isNotEqualTo(Payload.binary(new byte[] {2}, "a/b"));
        assertThat(binary).hasToString("Binary[1 bytes of a/b]");
    }

    private static String everythingSaid(Throwable e) {
        StringBuilder said = new StringBuilder();
        for (Throwable t = e; t != null; t = t.getCause()) {
            said.append(t).append('\n');
        }
        return said.toString();
    }
}
