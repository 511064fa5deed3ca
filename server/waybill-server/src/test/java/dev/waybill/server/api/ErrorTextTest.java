package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "HTTP 503 after 30000ms | HTTP N after Nms",
                "order 3f2504e0-4f89-41d3-9a0c-0305e82c3301 failed | order ID failed",
                "order 3f2504e0-4f89-41d3-9a0c-0305e82c33010 failed | order ID-NfN-NdN-NaNc-ID failed",
                "commit deadbeef1 and facade | commit ID and facade",
                "value \"a b\" is not `c` | value \"…\" is not \"…\"",
                "key 'x' isn't here | key \"…\" isn't here",
                "a_1b22 | a_NbN",
                "an open \" quote 7 | an open \" quote N",
            })
    void numbers_ids_and_quoted_parts_do_not_make_errors_differ(String error, String kind) {
        assertThat(ErrorText.normalised(error)).isEqualTo(kind);
    }

    @Test
    void a_long_error_is_cut_and_apostrophes_far_apart_are_not_quotes() {
        assertThat(ErrorText.normalised("x".repeat(10_000))).isEqualTo("x".repeat(300) + "…");
        String far = "it'" + " y".repeat(101) + "'";
        assertThat(ErrorText.normalised(far)).isEqualTo(far);
        assertThat(ErrorText.normalised("")).isEmpty();
    }
}
