package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The headers of a dead letter: those of its message, and the origin of the message. */
public final class DeadLetterHeaders {
    private DeadLetterHeaders() {}

    /** For a letter that contains the message. */
    public static List<Header> of(InboundMessage message) {
        List<Header> headers = new ArrayList<>(original(message.headers()));
        headers.addAll(withoutMessage(message));
        return headers;
    }

    /** For a letter without the message and its headers. */
    public static List<Header> withoutMessage(InboundMessage message) {
        return List.of(
                header(HeaderNames.DEAD_LETTER_TOPIC, message.topic()),
                header(HeaderNames.DEAD_LETTER_PLACE, message.place()));
    }

    /** For the message that is sent back. */
    public static List<Header> original(List<Header> ofLetter) {
        return ofLetter.stream()
                .filter(header -> !header.name().equals(HeaderNames.DEAD_LETTER_TOPIC)
                        && !header.name().equals(HeaderNames.DEAD_LETTER_PLACE))
                .toList();
    }

    private static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
