package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;

class RabbitMessageTest {
    private static final Instant TIME = Instant.ofEpochSecond(1_700_000_000);

    @Test
    void it_was_sent_when_its_sender_says_so() {
        BasicProperties timed =
                new BasicProperties.Builder().timestamp(Date.from(TIME)).build();
        assertThat(of(timed).sentAt()).contains(TIME);
    }

    @Test
    void a_message_without_a_time_does_not_say_when_it_was_sent() {
        assertThat(of(new BasicProperties.Builder().build()).sentAt()).isEmpty();
    }

    private static RabbitMessage of(BasicProperties properties) {
        return RabbitMessage.of(
                new Object(), "orders", new Envelope(1, false, "shop", "orders"), properties, new byte[] {1});
    }
}
