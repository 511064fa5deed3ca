package dev.waybill.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.spi.Utf8;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceIdTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @Test
    void it_is_the_second_field_of_the_traceparent() {
        assertThat(TraceId.ofHeaders(Utf8.of("{\"traceparent\":\"00-" + TRACE + "-b7ad6b7169203331-01\"}")))
                .contains(TRACE);
    }

    /** Jackson reports what is beyond its limits without a location. */
    static List<String> beyondLimits() {
        return List.of(
                "{\"" + "n".repeat(60_000) + "\":\"x\"}",
                "{\"traceId\":" + "9".repeat(1_200) + "}",
                "{\"a\":\"",
                "[]",
                "{\"a\":{}}");
    }

    @ParameterizedTest
    @MethodSource("beyondLimits")
    void headers_that_cannot_be_read_have_none_and_make_only_their_own_event_dead(String headers) {
        assertThat(TraceId.ofHeaders(Utf8.of(headers))).isEmpty();

        SampleEvent event = SampleEvent.PLACED.withHeaders(headers);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Format.raw().format(event))
                .withMessageContaining("store a JSON object of strings");
    }

    @Test
    void it_is_read_from_the_metadata_of_an_envelope_unless_that_is_large() {
        String envelope = "{\"metadata\":{\"traceId\":\"" + TRACE + "\"},\"data\":\"";

        assertThat(TraceId.of(MessageReaderTest.message(envelope + "x\"}"))).contains(TRACE);
        assertThat(TraceId.of(MessageReaderTest.message(envelope + "x".repeat(70_000) + "\"}")))
                .isEmpty();
    }
}
