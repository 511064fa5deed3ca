package dev.waybill.pubsub;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A received message.
 *
 * @param subscription its short name
 * @param topic as configured, since a message does not name its topic
 */
record PubSubMessage(String subscription, String topic, PubsubMessage source) implements InboundMessage {

    String id() {
        return source.getMessageId();
    }

    Instant publishedAt() {
        Timestamp time = source.getPublishTime();
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    @Override
    public byte @Nullable [] key() {
        return source.getOrderingKeyBytes().isEmpty()
                ? null
                : source.getOrderingKeyBytes().toByteArray();
    }

    @Override
    public byte[] value() {
        return source.getData().toByteArray();
    }

    /** Without Google's reserved attributes, which clients may not send: a dead letter could not carry them. */
    @Override
    public List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        source.getAttributesMap().forEach((name, value) -> {
            if (!name.startsWith(PreparedMessage.RESERVED)) {
                headers.add(new Header(name, value.getBytes(StandardCharsets.UTF_8)));
            }
        });
        return headers;
    }

    /** Without copying it. */
    @Override
    public long bytes() {
        return source.getSerializedSize();
    }

    @Override
    public Optional<Instant> sentAt() {
        return source.hasPublishTime() ? Optional.of(publishedAt()) : Optional.empty();
    }

    @Override
    public String place() {
        return subscription + "@" + id();
    }

    /** Two deliveries of a message are different: each can be acknowledged only where it arrived. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Without key, value and headers, which may be personal data. */
    @Override
    public String toString() {
        return place();
    }
}
