package dev.waybill.format;

import static dev.waybill.format.SampleEvent.PLACED;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an application stored reaches its consumers in the same bytes, whatever the format puts around it. */
class UnchangedBytesTest {
    private static final List<Format> AROUND = List.of(Format.envelope("shop"), Format.notification());
    private static final List<Format> ALONE = List.of(Format.raw(), Format.raw(HeaderStyle.ATTRIBUTES));

    /** Texts that a parser and printer would change. */
    static Stream<String> payloads() {
        return Stream.of(
                "{}",
                "null",
                "true",
                "\"\"",
                " \n\t{ \"b\" : 1 ,\r\n\t\"a\" :\t[ ] }\n ",
                "1e5",
                "1E+05",
                "1.0",
                "1.10",
                "-0",
                "-0.0",
                "1e400",
                "-1e-400",
                "123456789012345678901234567890.123456789012345678901234567890",
                "9".repeat(900),
                "\"é 漢 😀 \u2028\u2029 \u00ad\ufeff\"",
                "\"\\u00e9 \\u6F22 \\ud83d\\ude00 \\/ \\u0041\"",
                "\"\\ud83d alone\"",
                "\"\\u0000\"",
                "\"e\\u0301 and é\"",
                "{\"same\":1,\"same\":2}",
                "{\"b\":1,\"a\":2}",
                "{\"\":0}",
                "[".repeat(400) + "]".repeat(400),
                "\"" + "é7".repeat(350_000) + "\"");
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void every_format_sends_the_payload_unchanged(String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        SampleEvent event = PLACED.withPayload(payload);
        for (Format format : AROUND) {
            assertThat(format.format(event).value()).isEqualTo(withZeroReplaced(format, bytes));
        }
        for (Format format : ALONE) {
            assertThat(format.format(event).value()).isSameAs(event.payload()).isEqualTo(bytes);
        }
    }

    /** Not JSON at all: what is never read cannot matter. */
    @Test
    void random_bytes_are_sent_unchanged() {
        Random random = new Random(7);
        for (int run = 0; run < 200; run++) {
            byte[] bytes = new byte[1 + random.nextInt(5000)];
            random.nextBytes(bytes);
            SampleEvent event = PLACED.withPayload(bytes, "application/json");
            for (Format format : ALONE) {
                assertThat(format.format(event).value()).isSameAs(bytes);
            }
        }
    }

    @Test
    void binary_payloads_are_sent_unchanged_without_an_envelope() {
        byte[] bytes = {0, -1, 7};
        for (Format format : ALONE) {
            Formatted formatted = format.format(PLACED.withPayload(bytes, "application/protobuf"));
            assertThat(formatted.value()).isSameAs(bytes);
            assertThat(new ArrayList<>(formatted.headers()))
                    .filteredOn(header -> header.name().startsWith("content"))
                    .singleElement()
                    .satisfies(header -> assertThat(header.value())
                            .asString(StandardCharsets.UTF_8)
                            .isEqualTo("application/protobuf"));
        }
    }

    /** What the format makes of a payload of one byte, with that byte replaced. */
    private static byte[] withZeroReplaced(Format format, byte[] payload) {
        String before = format instanceof Envelope ? "\"data\":" : "\"payload\":";
        byte[] small = format.format(PLACED.withPayload("0")).value();
        int at = new String(small, StandardCharsets.US_ASCII).indexOf(before) + before.length();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.write(small, 0, at);
        expected.writeBytes(payload);
        expected.writeBytes(Arrays.copyOfRange(small, at + 1, small.length));
        return expected.toByteArray();
    }
}
