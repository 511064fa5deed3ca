package dev.waybill.kafka;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A received record. */
record KafkaMessage(ConsumerRecord<byte[], byte[]> source) implements InboundMessage {
    private static final byte[] NOTHING = {};

    TopicPartition partition() {
        return new TopicPartition(source.topic(), source.partition());
    }

    long offset() {
        return source.offset();
    }

    @Override
    public String topic() {
        return source.topic();
    }

    @Override
    public byte @Nullable [] key() {
        return source.key();
    }

    @Override
    public byte[] value() {
        byte[] value = source.value();
        return value == null ? NOTHING : value;
    }

    @Override
    public List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        source.headers()
                .forEach(header ->
                        headers.add(new Header(header.key(), header.value() == null ? NOTHING : header.value())));
        return headers;
    }

    @Override
    public Optional<Instant> sentAt() {
        return source.timestamp() < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(source.timestamp()));
    }

    @Override
    public String place() {
        return source.topic() + "-" + source.partition() + "@" + source.offset();
    }

    /** Without key, value and headers, which may be personal data. */
    @Override
    public String toString() {
        return place();
    }
}
