package dev.waybill.inbox;

import dev.waybill.format.HeaderNames;
import dev.waybill.spi.InboundMessage;
import java.util.Optional;

/** How a message becomes an event again: the counterpart of {@link dev.waybill.format.Format}. Safe for many threads. */
public interface MessageReader {

    /**
     * @throws MalformedMessageException when this message is not of this form; the message says why
     */
    ReceivedEvent read(InboundMessage message);

    /** Of {@link dev.waybill.format.Format#envelope}: the event is in the JSON object, whatever the headers say. */
    static MessageReader envelope() {
        return message -> {
            JsonMembers members = JsonMembers.of(message.value());
            return new ReceivedEvent(
                    members.requiredText("eventId"),
                    members.requiredText("eventType"),
                    Optional.empty(),
                    Optional.empty(),
                    members.required("data"),
                    message);
        };
    }

    /** Of the format {@code notification}: the event is in the JSON object. */
    static MessageReader notification() {
        return message -> {
            JsonMembers members = JsonMembers.of(message.value());
            return new ReceivedEvent(
                    members.requiredText("event_id"),
                    members.requiredText("event_type"),
                    members.text("aggregate_type"),
                    members.text("aggregate_id"),
                    members.required("payload"),
                    message);
        };
    }

    /** Of {@link dev.waybill.format.Format#raw} and the format {@code stored}: the headers say what the body is. */
    static MessageReader raw() {
        return message -> new ReceivedEvent(
                header(message, HeaderNames.EVENT_ID, "event_id"),
                header(message, HeaderNames.EVENT_TYPE, "event_type"),
                Headers.find(message, "aggregate_type"),
                Headers.find(message, "aggregate_id"),
                message.value(),
                message);
    }

    private static String header(InboundMessage message, String name, String otherwise) {
        return Headers.find(message, name, otherwise)
                .filter(value -> !value.isBlank())
                .orElseThrow(() -> new MalformedMessageException(
                        "The message has neither a header " + name + " nor " + otherwise + "."));
    }
}
