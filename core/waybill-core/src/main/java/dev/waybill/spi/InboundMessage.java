package dev.waybill.spi;

import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A received message. Valid only for the subscription that returned it. */
public interface InboundMessage {
    /** The topic or queue. */
    String topic();

    /** Messages with the same key must be handled in order of arrival; empty if it has no key. */
    byte @Nullable [] key();

    byte[] value();

    List<Header> headers();

    /**
     * The value of the first header of that name, case-sensitive like in brokers. In Kafka a name can occur several times: to
     * identify an event, check that all values are equal.
     */
    default Optional<String> header(String name) {
        for (Header header : headers()) {
            if (header.name().equals(name)) {
                return Optional.of(new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    /** Approximate size in memory: the bytes of key, value and headers. */
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

    /** When it was sent, according to its sender or the broker; empty if neither says so. */
    Optional<Instant> sentAt();

    /** Its position at the broker, for operators: for example partition and offset. */
    String place();
}
