package dev.waybill.kafka;

import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Makes Kafka's records from messages. */
final class Records {
    private Records() {}

    /** @param partition null if the producer chooses it */
    static ProducerRecord<byte[], byte[]> of(OutboundMessage message, @Nullable Integer partition) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(message.topic(), partition, message.key(), message.value());
        Headers headers = record.headers();
        List<Header> given = message.headers();
        for (int i = 0; i < given.size(); i++) {
            Header header = given.get(i);
            headers.add(new RecordHeader(header.name(), header.value()));
        }
        return record;
    }
}
