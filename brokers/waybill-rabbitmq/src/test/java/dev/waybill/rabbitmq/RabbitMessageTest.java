package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.Date;
import java.util.List;
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

    @Test
    void an_event_without_a_time_of_creation_is_not_sent_as_one_of_1970() {
        assertThat(of(MessageForm.properties(created(Instant.EPOCH))).sentAt()).isEmpty();
        assertThat(of(MessageForm.properties(created(TIME))).sentAt()).contains(TIME);
    }

    private static OutboundMessage created(Instant time) {
        EventFacts event = new EventFacts(Utf8.of("e-1"), Utf8.of("placed"), Utf8.of("k"), "application/json", time);
        return new OutboundMessage(event, "orders", null, new byte[] {1}, List.of());
    }

    private static RabbitMessage of(BasicProperties properties) {
        return RabbitMessage.of(
                new Object(), "orders", new Envelope(1, false, "shop", "orders"), properties, new byte[] {1});
    }
}
