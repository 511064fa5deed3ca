package dev.waybill.spi;

import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message as it arrived. Only good for the subscription that gave it. */
public interface InboundMessage {
    /** Where it was taken from: the topic, or the queue. */
    String topic();

    /** Messages with the same key are to be handled in the order in which they arrive; nothing when it has none. */
    byte @Nullable [] key();

    byte[] value();

    List<Header> headers();

    /**
     * The value of the first header of that name; names are told apart by case, as brokers do. Kafka lets a name come several
     * times: what tells one event from another must not be read here unless all of them say the same.
     */
    default Optional<String> header(String name) {
        for (Header header : headers()) {
            if (header.name().equals(name)) {
                return Optional.of(new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    /** How much memory it takes, roughly: the bytes of key, value and headers. */
    default long bytes() {
        byte[] key = key();
        long bytes = value().length;
        bytes += key == null ? 0 : key.length;
        for (Header header : headers()) {
            bytes += header.name().length();
            bytes += header.value().length;
        }
        return bytes;
    }

    /** Where it stands with the broker, for people: partition and offset, or the like. */
    String place();
}
