package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Turns a message back into an event: the counterpart of {@link Format}. Safe for use by many threads. */
public interface MessageReader {

    /**
     * @throws MalformedMessageException if the message does not have this format; the message says why
     */
    ReceivedEvent read(InboundMessage message);

    /** For {@link Format#envelope}: the event is in the JSON object; headers are ignored. */
    static MessageReader envelope() {
        return message -> {
            JsonMembers members = JsonMembers.of(message.value());
            return new ReceivedEvent(
                    members.requiredText("eventId"),
                    members.requiredText("eventType"),
                    members.text("source"),
                    Optional.empty(),
                    Optional.empty(),
                    members.required("data"),
                    message);
        };
    }

    /** For the format {@code notification}: the event is in the JSON object. */
    static MessageReader notification() {
        return message -> {
            JsonMembers members = JsonMembers.of(message.value());
            return new ReceivedEvent(
                    members.requiredText("event_id"),
                    members.requiredText("event_type"),
                    Optional.empty(),
                    members.text("aggregate_type"),
                    members.text("aggregate_id"),
                    members.required("payload"),
                    message);
        };
    }

    /** For {@link Format#raw} and the format {@code stored}: the headers describe the body. */
    static MessageReader raw() {
        return message -> new ReceivedEvent(
                header(message, HeaderNames.EVENT_ID, "event_id"),
                header(message, HeaderNames.EVENT_TYPE, "event_type"),
                message.header("source"),
                text(message, "aggregate_type"),
                text(message, "aggregate_id"),
                message.value(),
                message);
    }

    private static String header(InboundMessage message, String name, String otherwise) {
        Optional<String> value = text(message, name);
        Optional<String> other = text(message, otherwise);
        if (value.isPresent() && other.isPresent() && !value.equals(other)) {
            throw new MalformedMessageException(
                    "The message's headers " + name + " and " + otherwise + " have different values.");
        }
        return value.or(() -> other)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new MalformedMessageException(
                        "The message has neither a header " + name + " nor " + otherwise + "."));
    }

    /**
     * Invalid UTF-8 is refused: all invalid bytes would be decoded to the same character, so different ids could become equal. A
     * name that occurs several times with different values is refused as ambiguous.
     */
    private static Optional<String> text(InboundMessage message, String name) {
        List<byte[]> values = message.headers().stream()
                .filter(header -> header.name().equals(name))
                .map(Header::value)
                .toList();
        if (values.stream().anyMatch(value -> !Arrays.equals(value, values.get(0)))) {
            throw new MalformedMessageException(
                    "The message has " + values.size() + " headers " + name + " with different values.");
        }
        Optional<String> value = message.header(name);
        if (value.isPresent() && value.get().indexOf('\ufffd') >= 0) {
            throw new MalformedMessageException("The message's header " + name + " is not UTF-8.");
        }
        return value;
    }
}
