package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class KafkaMessageTest {
    private static final byte[] NONE = {};

    @Test
    void it_was_sent_at_the_time_of_its_record() {
        assertThat(at(1_700_000_000_123L, TimestampType.CREATE_TIME).sentAt())
                .contains(Instant.ofEpochMilli(1_700_000_000_123L));
    }

    @Test
    void a_record_without_a_time_does_not_say_when_it_was_sent() {
        assertThat(at(ConsumerRecord.NO_TIMESTAMP, TimestampType.NO_TIMESTAMP_TYPE)
                        .sentAt())
                .isEmpty();
    }

    private static KafkaMessage at(long timestamp, TimestampType type) {
        return new KafkaMessage(new ConsumerRecord<>(
                "orders", 0, 7, timestamp, type, 0, 0, NONE, NONE, new RecordHeaders(), Optional.empty()));
    }
}
