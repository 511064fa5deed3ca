package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LettersWornException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.testkit.Await;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reading a letter of a quorum queue counts as a delivery, and the queue drops a message after a number of them. */
class RabbitReadingsTest {
    private static final Actor PERSON = new Actor("anna", "test data");
    private static final int LIMIT = 20;

    @RegisterExtension
    private static final Broker broker = new Broker();

    private static String queue(Map<String, Object> arguments) {
        String queue = broker.newTopic(arguments);
        broker.run(channel -> {
            channel.confirmSelect();
            for (int i = 0; i < 2; i++) {
                byte[] body = new DeadLetterBody(
                                Optional.of("e-" + i), new byte[] {'1'}, "no", Instant.EPOCH, "billing")
                        .toJson();
                channel.basicPublish("", queue, new BasicProperties(), body);
            }
            channel.waitForConfirmsOrDie(10_000);
        });
        return queue;
    }

    @Test
    void letters_of_a_queue_with_a_delivery_limit_are_not_lost_by_listing_them() {
        String queue = queue(Map.of("x-queue-type", "quorum", "x-delivery-limit", LIMIT));
        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            int listed = 0;
            for (int i = 0; i < 3 * LIMIT; i++) {
                awaitCount(box, queue, 2);
                listed += lists(box, queue) ? 1 : 0;
            }
            List<DeadLetterEntry> kept = chosen(box, queue, 2);
            assertThat(listed).isBetween(9, 10);
            assertThatExceptionOfType(LettersWornException.class)
                    .isThrownBy(() -> box.list(queue, 10))
                    .withMessageContaining(queue)
                    .withMessageContaining("letter-readings");
            for (DeadLetterEntry letter : kept) {
                assertThat(box.discard(letter, PERSON)).isTrue();
            }
            awaitCount(box, queue, 0);
            assertThat(box.list(queue, 10)).as("the worn ones have gone").isEmpty();
        }
    }

    @Test
    void letters_of_other_queues_are_listed_without_end() {
        String queue = queue(Map.of());
        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            for (int i = 0; i < 2 * LIMIT; i++) {
                assertThat(lists(box, queue)).isTrue();
            }
            chosen(box, queue, 2);
        }
    }

    private static boolean lists(RabbitDeadLetters box, String queue) {
        try {
            box.list(queue, 10);
            return true;
        } catch (LettersWornException e) {
            return false;
        }
    }

    /** A quorum queue counts letters that return, and those that are acknowledged, a moment later. */
    private static void awaitCount(RabbitDeadLetters box, String queue, int count) {
        Await.until(
                "the queue has " + count + " letters",
                () -> box.count(List.of(queue), 10).get(0).letters() == count);
    }

    private static List<DeadLetterEntry> chosen(RabbitDeadLetters box, String queue, int count) {
        awaitCount(box, queue, count);
        List<DeadLetterEntry> letters = box.choose(queue, 10);
        assertThat(letters).hasSize(count);
        return letters;
    }
}
