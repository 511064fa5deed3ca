package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.pubsub.PreparedMessage.Fit;
import dev.waybill.pubsub.PreparedMessage.Unfit;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.SentMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PreparedMessageTest {
    private static final byte[] NO_TEXT = {(byte) 0xC3, (byte) 0x28};

    @Test
    void the_key_may_have_1024_bytes_of_text() {
        assertThat(letter("é".repeat(512).getBytes(StandardCharsets.UTF_8))).isInstanceOf(Fit.class);
        assertUnfit(letter(("é".repeat(512) + "x").getBytes(StandardCharsets.UTF_8)), "1025 bytes");
        assertUnfit(letter(NO_TEXT), "is not text");
    }

    @Test
    void a_hundred_attributes_fit() {
        assertThat(letter(headers(100))).isInstanceOf(Fit.class);
        assertUnfit(letter(headers(101)), "101 headers");
    }

    @Test
    void a_name_has_1_to_256_bytes_and_is_not_googles() {
        assertThat(letter(header("n".repeat(256), "v"))).isInstanceOf(Fit.class);
        assertUnfit(letter(header("n".repeat(255) + "é", "v")), "257 bytes");
        assertUnfit(letter(header("", "v")), "0 bytes");
        assertUnfit(letter(header("googclient_x", "v")), "goog");
    }

    @Test
    void a_value_is_text_of_at_most_1024_bytes() {
        assertThat(letter(header("n", "é".repeat(512)))).isInstanceOf(Fit.class);
        assertUnfit(letter(header("n", "v".repeat(1025))), "header n has 1025 bytes");
        assertUnfit(letter(List.of(new Header("n", NO_TEXT))), "is not text");
    }

    @Test
    void a_duplicate_name_is_refused() {
        assertUnfit(letter(List.of(header("n", "1").get(0), header("n", "2").get(0))), "header n occurs twice");
    }

    @Test
    void a_message_has_a_body_or_attributes() {
        assertUnfit(PreparedMessage.of(message(null, new byte[0], List.of())), "neither a body nor headers");
        assertThat(PreparedMessage.of(message(null, new byte[0], header("n", ""))))
                .isInstanceOf(Fit.class);
    }

    @Test
    void body_key_and_attributes_together_fit_a_request() {
        int most = PreparedMessage.MAX_BYTES - PreparedMessage.ENVELOPE_BYTES;
        assertThat(PreparedMessage.of(message(null, new byte[most - 100], List.of())))
                .isInstanceOf(Fit.class);
        assertUnfit(
                PreparedMessage.of(message(null, new byte[most - 100], header("n", "v".repeat(200)))),
                "bytes with its attributes");
    }

    @Test
    void neither_key_nor_value_is_shown() {
        byte[] key = "canary".repeat(200).getBytes(StandardCharsets.UTF_8);
        assertThat(letter(key).toString()).doesNotContain("canary");
        assertThat(letter(header("n", "canary".repeat(200))).toString()).doesNotContain("canary");
    }

    private static void assertUnfit(PreparedMessage letter, String why) {
        assertThat(letter)
                .isInstanceOfSatisfying(
                        Unfit.class, unfit -> assertThat(unfit.why().error()).contains(why));
    }

    private static PreparedMessage letter(byte[] key) {
        return PreparedMessage.of(message(key, new byte[1], List.of()));
    }

    private static PreparedMessage letter(List<Header> headers) {
        return PreparedMessage.of(message(null, new byte[1], headers));
    }

    private static OutboundMessage message(byte[] key, byte[] value, List<Header> headers) {
        OutboundMessage plain = SentMessage.of("topic", "k", "id", value);
        return new OutboundMessage(plain.event(), "topic", key, value, headers);
    }

    private static List<Header> headers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> header("n" + i, "v").get(0))
                .toList();
    }

    private static List<Header> header(String name, String value) {
        return List.of(new Header(name, value.getBytes(StandardCharsets.UTF_8)));
    }
}
