package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void control_characters_are_replaced() {
        assertThat(Printable.of("a\nb\rc\td")).isEqualTo("a b c d");
        assertThat(Printable.of("\u001b[31m\u0085\u2028\u202e\u200b\ud800"))
                .isEqualTo("\ufffd[31m\ufffd\ufffd\ufffd\ufffd\ufffd");
    }

    @Test
    void printable_text_of_any_script_is_unchanged() {
        assertThat(Printable.of("Zoë 漢字 😀 عربي")).isEqualTo("Zoë 漢字 😀 عربي");
        assertThat(Printable.of(Utf8.of("order.placed.v1"))).isEqualTo("order.placed.v1");
    }

    @Test
    void very_long_text_is_truncated() {
        assertThat(Printable.of("😀".repeat(5_000))).isEqualTo("😀".repeat(4_000) + "…");
    }
}
