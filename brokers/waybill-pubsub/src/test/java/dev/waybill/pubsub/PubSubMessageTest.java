package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PubSubMessageTest {
    @Test
    void it_was_sent_when_pubsub_published_it() {
        PubsubMessage published = PubsubMessage.newBuilder()
                .setPublishTime(Timestamp.newBuilder().setSeconds(1_700_000_000).setNanos(5))
                .build();
        assertThat(of(published).sentAt()).contains(Instant.ofEpochSecond(1_700_000_000, 5));
    }

    @Test
    void a_message_without_a_time_does_not_say_when_it_was_sent() {
        assertThat(of(PubsubMessage.getDefaultInstance()).sentAt()).isEmpty();
    }

    private static PubSubMessage of(PubsubMessage message) {
        return new PubSubMessage("orders", "orders", message);
    }
}
