package dev.waybill.inbox;

import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.format.LeftOut;
import dev.waybill.format.MessageHead;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forms of a dead letter. A message is sent in the first form that the destination can carry: a broker may accept a message but
 * not its letter, which has an error and additional headers.
 */
enum DeadLetter {
    /** Key and headers of the message are those of the letter. */
    WHOLE {
        @Override
        OutboundMessage of(HeldMessage held, String topic, GivenUp why, String consumer) {
            return letter(
                    held,
                    why,
                    topic,
                    held.message.key(),
                    body(held, why, consumer),
                    DeadLetterHeaders.of(held.message));
        }
    },
    /** Key and headers of the message are in the letter's JSON. */
    HEADERS_INSIDE {
        @Override
        OutboundMessage of(HeldMessage held, String topic, GivenUp why, String consumer) {
            return small(held, why, topic, body(held, why, consumer).with(MessageHead.of(held.message)));
        }
    },
    /** The headers do not fit: the letter has the body and the names of the headers. */
    WITHOUT_HEADERS {
        @Override
        OutboundMessage of(HeldMessage held, String topic, GivenUp why, String consumer) {
            return small(held, why, topic, body(held, why, consumer).withoutHeaders(LeftOut.headersOf(held.message)));
        }
    },
    /** Small enough for every broker: the message's position, size and hash instead of body and headers. */
    WITHOUT_MESSAGE {
        @Override
        OutboundMessage of(HeldMessage held, String topic, GivenUp why, String consumer) {
            InboundMessage message = held.message;
            LeftOut all = LeftOut.of(message.place(), message.value());
            return small(held, why, topic, body(held, why, consumer).without(all));
        }
    };

    /** Every broker accepts a text key of this length. */
    private static final int MOST_KEY_BYTES = 1_000;
    /** Every broker accepts an id and a type of this length. */
    private static final int MOST_ID_BYTES = 255;

    private static final String UNKNOWN = "dead-letter";

    abstract OutboundMessage of(HeldMessage held, String topic, GivenUp why, String consumer);

    /** The form to try after this one was refused. */
    DeadLetter next() {
        return switch (this) {
            case WHOLE -> HEADERS_INSIDE;
            case HEADERS_INSIDE -> WITHOUT_HEADERS;
            case WITHOUT_HEADERS, WITHOUT_MESSAGE -> WITHOUT_MESSAGE;
        };
    }

    /** Without key and headers that a broker might refuse. */
    private static OutboundMessage small(HeldMessage held, GivenUp why, String topic, DeadLetterBody body) {
        byte[] key = held.message.key();
        boolean fits = key != null && key.length <= MOST_KEY_BYTES && isText(key);
        return letter(held, why, topic, fits ? key : null, body, DeadLetterHeaders.withoutMessage(held.message));
    }

    private static boolean isText(byte[] key) {
        return Arrays.equals(new String(key, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), key);
    }

    private static OutboundMessage letter(
            HeldMessage held,
            GivenUp why,
            String topic,
            byte @Nullable [] key,
            DeadLetterBody body,
            List<Header> headers) {
        return new OutboundMessage(facts(held, why), topic, key, body.toJson(), headers);
    }

    /** Id and type of the event if they could be read. The creation time is when it was given up. */
    private static EventFacts facts(HeldMessage held, GivenUp why) {
        Utf8 unknown = Utf8.of(UNKNOWN);
        Utf8 place = shortOr(held.message.place(), unknown);
        Utf8 id = held.event == null ? place : shortOr(held.event.id(), place);
        Utf8 type = held.event == null ? unknown : shortOr(held.event.type(), unknown);
        byte[] key = held.message.key();
        Utf8 orderKey = key == null ? Utf8.of(UNKNOWN + ":" + id) : Utf8.wrap(key);
        return new EventFacts(id, type, orderKey, "application/json", why.at());
    }

    private static Utf8 shortOr(String text, Utf8 otherwise) {
        Utf8 bytes = Utf8.of(text);
        return bytes.length() <= MOST_ID_BYTES ? bytes : otherwise;
    }

    private static DeadLetterBody body(HeldMessage held, GivenUp why, String consumer) {
        Optional<String> id = Optional.ofNullable(held.event).map(event -> event.id());
        return new DeadLetterBody(id, held.message.value(), why.error(), why.at(), consumer);
    }

    static long bytes(OutboundMessage letter) {
        byte[] key = letter.key();
        return letter.value().length + (key == null ? 0 : key.length) + bytes(letter.headers());
    }

    private static long bytes(List<Header> headers) {
        return headers.stream()
                .mapToLong(header -> header.name().getBytes(StandardCharsets.UTF_8).length + header.value().length)
                .sum();
    }
}
