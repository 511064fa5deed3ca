package dev.waybill.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
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
    void what_is_not_json_or_not_known_keeps_its_bytes() {
        byte[] bytes = {0, (byte) 0xff, '{'};
        DeadLetterBody binary = new DeadLetterBody(Optional.of("e-1"), bytes, "x", AT, "s");
        DeadLetterBody unknown = new DeadLetterBody(Optional.empty(), utf8("{}"), "x", AT, "s");

        assertThat(DeadLetterBody.of(binary.toJson()).original()).isEqualTo(bytes);
        assertThat(DeadLetterBody.of(unknown.toJson()).original()).isEqualTo(utf8("{}"));
        assertThat(DeadLetterBody.of(unknown.toJson()).eventId()).isEmpty();
        assertThat(new String(unknown.toJson(), StandardCharsets.UTF_8)).contains("\"originalEvent\":null");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 498, 499, 500, 501, 5_000})
    void a_message_nested_as_deep_as_can_be_comes_out_of_its_letter(int depth) {
        byte[] original = ("[".repeat(depth) + "]".repeat(depth)).getBytes(StandardCharsets.UTF_8);
        byte[] letter = new DeadLetterBody(Optional.of("id"), original, "too deep", Instant.EPOCH, "billing").toJson();

        assertThat(DeadLetterBody.of(letter).original()).isEqualTo(original);
    }

    @Test
    void a_letter_nested_deeper_than_can_be_read_is_none() {
        byte[] forged = ("{\"failedAt\":\"1970-01-01T00:00:00Z\",\"originalEvent\":" + "[".repeat(5_000)
                        + "]".repeat(5_000) + "}")
                .getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> DeadLetterBody.of(forged));
    }

    @Test
    void a_long_error_is_cut_between_characters() {
        DeadLetterBody letter = new DeadLetterBody(Optional.empty(), new byte[0], "🍰".repeat(5_000), AT, "s");

        assertThat(letter.errorMessage()).isEqualTo("🍰".repeat(2_000));
    }

    @Test
    void something_else_is_no_dead_letter() {
        assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> DeadLetterBody.of(utf8("{}")));
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> DeadLetterBody.of(utf8("{\"originalBytes\":\"?\",\"failedAt\":\"now\"}")));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
