package dev.waybill.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterBodyTest {
    private static final Instant AT = Instant.parse("2026-11-15T08:30:00.123Z");

    @Test
    void the_original_event_is_in_it_byte_for_byte() {
        byte[] original = utf8("{ \"n\" : 1.0e2 }");
        DeadLetterBody letter =
                new DeadLetterBody(Optional.of("e-1"), original, "no \"stock\"", AT, "inventory-service");

        assertThat(new String(letter.toJson(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"eventId\":\"e-1\",\"originalEvent\":{ \"n\" : 1.0e2 },\"errorMessage\":\"no \\\"stock\\\"\","
                                + "\"failedAt\":\"2026-11-15T08:30:00.123Z\",\"consumerService\":\"inventory-service\"}");
        assertThat(DeadLetterBody.of(letter.toJson()).original()).isEqualTo(original);
        assertThat(DeadLetterBody.of(letter.toJson()).errorMessage()).isEqualTo("no \"stock\"");
    }

    @Test
    void an_original_that_is_not_json_or_unknown_is_kept_in_base64() {
        byte[] bytes = {0, (byte) 0xff, '{'};
        DeadLetterBody binary = new DeadLetterBody(Optional.of("e-1"), bytes, "x", AT, "s");
        DeadLetterBody unknown = new DeadLetterBody(Optional.empty(), utf8("{}"), "x", AT, "s");

        assertThat(DeadLetterBody.of(binary.toJson()).original()).isEqualTo(bytes);
        assertThat(DeadLetterBody.of(unknown.toJson()).original()).isEqualTo(utf8("{}"));
        assertThat(DeadLetterBody.of(unknown.toJson()).eventId()).isEmpty();
        assertThat(new String(unknown.toJson(), StandardCharsets.UTF_8)).contains("\"originalEvent\":null");
    }

    @Test
    void contained_key_and_headers_are_read_back_in_order() {
        MessageHead head = new MessageHead(
                new byte[] {'k', -1},
                List.of(new Header("a", utf8("grüße \"x\"")), new Header("a", new byte[0]), new Header("", new byte[] {
                    -1, 0
                })));
        for (byte[] original : List.of(utf8("{}"), new byte[] {-1}, new byte[0])) {
            byte[] json = new DeadLetterBody(Optional.of("e-1"), original, "x", AT, "s")
                    .with(head)
                    .toJson();
            DeadLetterBody read = DeadLetterBody.of(json);
            assertThat(read.original()).isEqualTo(original);
            assertThat(read.leftOut()).isEmpty();
            assertThat(read.head().orElseThrow()).usingRecursiveComparison().isEqualTo(head);
            assertThat(read.toJson()).isEqualTo(json);
        }
        byte[] empty = new DeadLetterBody(Optional.empty(), utf8("{}"), "x", AT, "s")
                .with(new MessageHead(null, List.of()))
                .toJson();
        assertThat(DeadLetterBody.of(empty).head().orElseThrow().key()).isNull();
        assertThat(DeadLetterBody.of(empty).head().orElseThrow().headers()).isEmpty();
    }

    @Test
    void headers_that_were_left_out_are_named_beside_the_body() {
        for (byte[] original : List.of(utf8("{\"n\":1}"), new byte[] {-1})) {
            LeftOut headers = new LeftOut("orders@1", original.length, "abc", List.of("a", "b\""));
            byte[] json = new DeadLetterBody(Optional.of("e-1"), original, "x", AT, "s")
                    .withoutHeaders(headers)
                    .toJson();
            DeadLetterBody read = DeadLetterBody.of(json);
            assertThat(read.original()).isEqualTo(original);
            assertThat(read.leftOut()).contains(headers);
            assertThat(read.toJson()).isEqualTo(json);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"originalHeaders\":[1]",
                "\"originalHeaders\":[{\"name\":\"a\"}]",
                "\"originalHeaders\":[{\"name\":1,\"text\":\"x\"}]",
                "\"originalHeaders\":[{\"name\":\"a\",\"text\":null}]",
                "\"originalHeaders\":[{\"name\":\"a\",\"base64\":\"%\"}]",
                "\"originalHeaders\":null",
                "\"originalHeaders\":\"x\"",
                "\"originalPlace\":\"p\",\"originalSize\":1,\"originalSha256\":\"s\",\"leftOutHeaders\":[null]",
                "\"originalPlace\":\"p\",\"originalSize\":1,\"originalSha256\":\"s\",\"leftOutHeaders\":{}"
            })
    void invalid_headers_are_malformed(String member) {
        byte[] letter = utf8("{\"eventId\":\"e\",\"originalEvent\":1,\"failedAt\":\"" + AT + "\"," + member + "}");
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> DeadLetterBody.of(letter))
                .withMessageContaining("Headers are not a list of");
    }

    /** Jackson guesses the encoding of bytes; inside a letter that would be another one. */
    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
    void a_message_in_any_encoding_is_restored_from_its_letter(String charset) throws Exception {
        for (String text : List.of("{\"n\":1}", "\ufeff{\"n\":1}", "1", "\ufeff1", "\"\u00e4\"")) {
            byte[] original = text.getBytes(charset);
            byte[] letter = new DeadLetterBody(Optional.of("e-1"), original, "x", AT, "s").toJson();
            assertThat(DeadLetterBody.of(letter).original()).as(text).isEqualTo(original);
        }
    }

    @Test
    void a_message_that_is_not_utf_8_is_restored_from_its_letter() {
        byte[] original = {'{', '"', 'a', '"', ':', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', '}'};
        byte[] letter = new DeadLetterBody(Optional.of("e-1"), original, "x", AT, "s").toJson();
        assertThat(DeadLetterBody.of(letter).original()).isEqualTo(original);
        assertThat(new String(letter, StandardCharsets.UTF_8)).contains("originalBytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8_190, 8_191, 8_192, 20_000})
    void multibyte_characters_are_read_at_any_position(int before) {
        byte[] original = utf8("\"" + "x".repeat(before) + "\u20ac\ud83d\ude00\"");
        byte[] letter = new DeadLetterBody(Optional.of("e-1"), original, "x", AT, "s").toJson();
        assertThat(DeadLetterBody.of(letter).original()).isEqualTo(original);
        assertThat(new String(letter, StandardCharsets.UTF_8)).doesNotContain("originalBytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 498, 499, 500, 501, 5_000})
    void a_message_with_the_deepest_nesting_is_restored_from_its_letter(int depth) {
        byte[] original = ("[".repeat(depth) + "]".repeat(depth)).getBytes(StandardCharsets.UTF_8);
        byte[] letter = new DeadLetterBody(Optional.of("id"), original, "too deep", Instant.EPOCH, "billing").toJson();

        assertThat(DeadLetterBody.of(letter).original()).isEqualTo(original);
    }

    @Test
    void a_letter_with_too_deep_nesting_is_malformed() {
        byte[] forged = ("{\"failedAt\":\"1970-01-01T00:00:00Z\",\"originalEvent\":" + "[".repeat(5_000)
                        + "]".repeat(5_000) + "}")
                .getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> DeadLetterBody.of(forged));
    }

    @Test
    void a_long_error_is_truncated_between_characters() {
        DeadLetterBody letter = new DeadLetterBody(Optional.empty(), new byte[0], "🍰".repeat(5_000), AT, "s");

        assertThat(letter.errorMessage()).isEqualTo("🍰".repeat(2_000));
    }

    @Test
    void other_json_is_not_a_dead_letter() {
        assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> DeadLetterBody.of(utf8("{}")));
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> DeadLetterBody.of(utf8("{\"originalBytes\":\"?\",\"failedAt\":\"now\"}")));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
