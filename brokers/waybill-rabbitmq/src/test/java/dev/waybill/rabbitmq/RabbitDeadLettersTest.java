package dev.waybill.rabbitmq;

import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.format.HeaderNames;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.SourceException;
import dev.waybill.tck.destination.Sender;
import dev.waybill.tck.destination.SentMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dead letters in RabbitMQ, beyond the contract of all brokers. */
class RabbitDeadLettersTest {
    private static final Actor PERSON = new Actor("anna", "mended");
    private static final byte[] VALUE = "{\"n\": 1e0}".getBytes(StandardCharsets.UTF_8);

    @RegisterExtension
    private static final Broker broker = new Broker();

    @Test
    void a_message_goes_back_to_its_queue_alone_with_its_properties() throws Exception {
        String queue = broker.newTopic();
        String other = broker.newTopic();
        broker.run(channel -> channel.queueBind(other, Broker.EXCHANGE, queue));
        Date sentAt = Date.from(Instant.parse("2026-11-01T10:00:00Z"));
        BasicProperties properties = new BasicProperties.Builder()
                .messageId("e-1")
                .type("order.placed.v1")
                .timestamp(sentAt)
                .contentType("application/json")
                .correlationId("c-1")
                .appId("shop")
                .headers(Map.of("note", "x", RabbitDestination.KEY_HEADER, "o-7"))
                .build();
        broker.run(channel -> channel.basicPublish(Broker.EXCHANGE, queue, properties, VALUE));
        String letters = giveUp(queue);

        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            assertThat(box.sendBack(box.list(letters, 10).get(0), PERSON)).isTrue();
            assertThat(box.list(letters, 10)).isEmpty();
        }
        List<GetResponse> back = new ArrayList<>();
        broker.eachOn(queue, back::add);
        assertThat(back).hasSize(1);
        assertThat(broker.textsOn(other)).as("only what was sent at first").hasSize(1);
        BasicProperties restored = back.get(0).getProps();
        assertThat(back.get(0).getBody()).isEqualTo(VALUE);
        assertThat(restored.getMessageId()).isEqualTo("e-1");
        assertThat(restored.getType()).isEqualTo("order.placed.v1");
        assertThat(restored.getTimestamp()).isEqualTo(sentAt);
        assertThat(restored.getContentType()).isEqualTo("application/json");
        assertThat(restored.getCorrelationId()).isEqualTo("c-1");
        assertThat(restored.getAppId()).isEqualTo("shop");
        assertThat(restored.getDeliveryMode()).isEqualTo(2);
        assertThat(restored.getHeaders())
                .containsOnlyKeys("note", RabbitDestination.KEY_HEADER, "amqp-exchange", "amqp-routing-key");
    }

    @Test
    void a_letter_whose_queue_was_deleted_is_kept() throws Exception {
        String queue = broker.newTopic();
        broker.run(channel -> channel.basicPublish("", queue, new BasicProperties(), VALUE));
        String letters = giveUp(queue);
        broker.run(channel -> channel.queueDelete(queue));

        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            DeadLetterEntry letter = box.list(letters, 10).get(0);
            assertThatExceptionOfType(LetterStaysException.class)
                    .isThrownBy(() -> box.sendBack(letter, PERSON))
                    .withMessageContaining(queue)
                    .withMessageContaining("NO_ROUTE");
            assertThat(box.list(letters, 10)).containsExactly(letter);
        }
    }

    /** A letter of another consumer implementation, which has only the documented fields. */
    @Test
    void a_foreign_letter_goes_to_the_queue_it_names_or_is_kept() {
        String queue = broker.newTopic();
        String letters = broker.newTopic();
        byte[] body = new DeadLetterBody(Optional.of("e-1"), VALUE, "no", Instant.EPOCH, "them").toJson();
        BasicProperties properties = new BasicProperties.Builder()
                .headers(Map.of(HeaderNames.DEAD_LETTER_TOPIC, queue))
                .build();
        broker.run(channel -> {
            channel.basicPublish("", letters, properties, body);
            channel.basicPublish("", letters, new BasicProperties(), body);
        });

        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            List<DeadLetterEntry> both = box.list(letters, 10);
            assertThat(box.sendBack(both.get(0), PERSON)).isTrue();
            assertThatExceptionOfType(LetterStaysException.class).isThrownBy(() -> box.sendBack(both.get(1), PERSON));
            assertThat(box.list(letters, 10)).containsExactly(both.get(1));
        }
        assertThat(broker.textsOn(queue)).containsExactly(new String(VALUE, StandardCharsets.UTF_8));
    }

    @Test
    void after_its_connection_was_closed_it_reconnects_and_names_a_missing_queue() {
        String letters = broker.newTopic();
        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> box.list("no.such.queue", 10))
                    .withMessageContaining("no.such.queue")
                    .withMessageContaining("404");
            assertThat(box.list(letters, 10)).isEmpty();
            broker.server().closeAllConnections();
            assertThat(box.list(letters, 10)).isEmpty();
        }
    }

    /** Takes the one message of the queue and puts it to the dead letters, as the consumer runtime does. */
    private static String giveUp(String queue) throws Exception {
        String letters = broker.newTopic();
        RabbitSource source = RabbitSource.of(broker.options(), List.of(queue));
        try (Sender destination =
                        new Sender(RabbitDestination.of(broker.options().exchange("")));
                Subscription subscription = source.subscribe((from, whose) -> {})) {
            InboundMessage message =
                    subscription.poll(Duration.ofSeconds(30), 1).get(0);
            DeadLetterBody body =
                    new DeadLetterBody(Optional.of("e-1"), message.value(), "no", Instant.EPOCH, "billing");
            OutboundMessage letter = new OutboundMessage(
                    SentMessage.facts("e-1", "k"),
                    letters,
                    message.key(),
                    body.toJson(),
                    DeadLetterHeaders.of(message));
            assertThat(Letters.outcomes(destination.publish(List.of(letter)))).containsExactly(DELIVERED);
            subscription.acknowledge(List.of(message));
        }
        return letters;
    }
}
