package dev.waybill.connect;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * How a message becomes a record. What Connect or its producer would fail the task for is found here, before they see it.
 *
 * @param keyText whether keys are texts, for a string converter, instead of bytes
 * @param valueText the same for values
 * @param createdAt whether the time of a record is that of its event, instead of the time of sending
 * @param tombstones whether an empty value is a tombstone
 * @param maxBytes size of the largest record
 */
record RecordForm(boolean keyText, boolean valueText, boolean createdAt, boolean tombstones, long maxBytes) {
    private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    /** Brokers refuse records that are further in the future, unless their topic has another message.timestamp.after.max.ms. */
    private static final Duration AHEAD = Duration.ofHours(1);

    /** Upper bound of what a record needs besides its fields. */
    private static final long OVERHEAD = 200;

    private static final int OVERHEAD_OF_HEADER = 10;

    /** A record, or why there is none. */
    record Made(Optional<SourceRecord> record, Delivery.@Nullable Refused refusal) {
        static Made refused(Delivery.Refused why) {
            return new Made(Optional.empty(), why);
        }
    }

    /** The record without its partition and offset in the source. */
    Made make(OutboundMessage message) {
        if (!TOPIC.matcher(message.topic()).matches()) {
            return Made.refused(new Delivery.Refused("\"" + message.topic()
                    + "\" cannot be the name of a topic in Kafka: use up to 249 letters, digits, dots, hyphens and"
                    + " underscores"));
        }
        if (Topic.isInternal(message.topic())) {
            return Made.refused(new Delivery.Refused("topic " + message.topic()
                    + " is one of Kafka's own, and takes no events: route the event to another topic, and requeue it"));
        }
        long bytes = bytes(message);
        if (bytes > maxBytes) {
            return Made.refused(
                    Delivery.unfit("the record has about " + bytes + " bytes, and max-message-bytes is " + maxBytes
                            + ": make the event smaller, or raise max-message-bytes, producer.override.max.request.size and"
                            + " max.message.bytes of topic " + message.topic() + ", and requeue the event"));
        }
        if (createdAt && !isTimeOfRecord(message.event().createdAt())) {
            return Made.refused(new Delivery.Refused("it was created at "
                    + message.event().createdAt()
                    + ", before 1970 or more than an hour from now, which Kafka refuses as the time of a record: use"
                    + " message.timestamp=none, and requeue the event"));
        }
        try {
            return new Made(Optional.of(record(message)), null);
        } catch (CharacterCodingException e) {
            return Made.refused(
                    new Delivery.Refused("its key, value or a header is not UTF-8 text: use value.as=bytes and"
                            + " key.as=bytes with Kafka's ByteArrayConverter, and requeue the event"));
        }
    }

    private SourceRecord record(OutboundMessage message) throws CharacterCodingException {
        byte @Nullable [] key = message.key();
        boolean tombstone = tombstones && message.value().length == 0;
        ConnectHeaders headers = new ConnectHeaders();
        for (Header header : message.headers()) {
            headers.addString(header.name(), text(header.value()));
        }
        return new SourceRecord(
                Map.of(),
                Map.of(),
                message.topic(),
                null,
                key == null ? null : schema(keyText),
                key == null ? null : data(key, keyText),
                schema(valueText),
                tombstone ? null : data(message.value(), valueText),
                createdAt ? message.event().createdAt().toEpochMilli() : null,
                headers);
    }

    private static boolean isTimeOfRecord(Instant time) {
        return !time.isBefore(Instant.EPOCH) && time.isBefore(Instant.now().plus(AHEAD));
    }

    private static Schema schema(boolean text) {
        return text ? Schema.OPTIONAL_STRING_SCHEMA : Schema.OPTIONAL_BYTES_SCHEMA;
    }

    private static Object data(byte[] bytes, boolean text) throws CharacterCodingException {
        return text ? text(bytes) : bytes;
    }

    private static String text(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    private static long bytes(OutboundMessage message) {
        byte @Nullable [] key = message.key();
        long bytes = OVERHEAD + message.value().length + (key == null ? 0 : key.length);
        for (Header header : message.headers()) {
            bytes += header.name().getBytes(StandardCharsets.UTF_8).length + header.value().length + OVERHEAD_OF_HEADER;
        }
        return bytes;
    }
}
