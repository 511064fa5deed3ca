package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void what_a_log_or_a_terminal_would_obey_is_replaced() {
        assertThat(Printable.of("a\nb\rc\td")).isEqualTo("a b c d");
        assertThat(Printable.of("\u001b[31m\u0085\u2028\u202e\u200b\ud800"))
                .isEqualTo("\ufffd[31m\ufffd\ufffd\ufffd\ufffd\ufffd");
    }

    @Test
    void plain_text_of_any_script_stays() {
        assertThat(Printable.of("Zoë 漢字 😀 عربي")).isEqualTo("Zoë 漢字 😀 عربي");
        assertThat(Printable.of(Utf8.of("order.placed.v1"))).isEqualTo("order.placed.v1");
    }

    @Test
    void what_is_very_long_is_cut() {
        assertThat(Printable.of("😀".repeat(5_000))).isEqualTo("😀".repeat(4_000) + "…");
    }
}
