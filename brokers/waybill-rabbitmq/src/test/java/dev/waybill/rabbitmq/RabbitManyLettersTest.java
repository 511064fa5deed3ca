package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.inbox.LetterCounts;
import dev.waybill.inbox.SendBack;
import dev.waybill.tck.faults.Failure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many dead letters are sent back, among them some that cannot be. */
class RabbitManyLettersTest {
    private static final Actor PERSON = new Actor("anna", "mended");

    @RegisterExtension
    private static final Broker broker = new Broker();

    private String origin;
    private String dead;
    private int written;

    @BeforeEach
    void declare() {
        origin = broker.newTopic();
        dead = broker.newTopic();
    }

    /** The writer of a letter chooses its headers. */
    @Test
    void letters_that_cannot_be_sent_back_do_not_stop_others() {
        List<Map<String, Object>> hostile = List.of(
                Map.of("amqp-timestamp", "yesterday"),
                Map.of("amqp-timestamp", Instant.MAX.toString()),
                Map.of("amqp-reply-to", "amq.rabbitmq.reply-to"),
                Map.of("amqp-content-type", "x".repeat(300)));
        for (Map<String, Object> headers : hostile) {
            for (int i = 0; i < 4; i++) {
                write(origin, headers);
            }
        }
        write(origin, Map.of());
        write(origin, Map.of());
        List<RuntimeException> told = new ArrayList<>();
        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            LetterCounts counts = SendBack.of(box, 10_000)
                    .run(box.list(dead, 100), PERSON, () -> true, (letter, why) -> told.add(why));
            assertThat(counts).isEqualTo(new LetterCounts(2, 0, 16, 0));
            assertThat(box.list(dead, 100)).hasSize(16);
        }
        assertThat(told)
                .allSatisfy(why -> assertThat(why)
                        .isInstanceOf(LetterStaysException.class)
                        .hasMessageContaining(dead)
                        .hasMessageNotContaining("yesterday"));
        assertThat(told.get(0)).hasMessageContaining("amqp-timestamp is not a time");
        assertThat(told.get(8)).hasMessageContaining("406");
        assertThat(broker.textsOn(origin)).hasSize(2);
    }

    @Test
    void each_letter_is_taken_once_however_many_precede_it() {
        int stay = 60;
        int good = 40;
        for (int i = 0; i < stay; i++) {
            write("nowhere", Map.of());
        }
        for (int i = 0; i < good; i++) {
            write(origin, Map.of());
        }
        try (AmqpProxy proxy = new AmqpProxy(broker);
                RabbitDeadLetters box = RabbitDeadLetters.of(broker.options(proxy.port()))) {
            List<DeadLetterEntry> letters = box.list(dead, 1_000);
            proxy.faults().arm(Integer.MAX_VALUE, Failure.BEFORE, () -> {});
            assertThat(SendBack.of(box, 10_000).run(letters, PERSON, () -> true))
                    .isEqualTo(new LetterCounts(good, 0, stay, 0));
            // Of a letter: to take it out, to send it, to acknowledge it, and to know that the acknowledgement has
            // come.
            assertThat(proxy.faults().calls()).isLessThan(4 * letters.size() + 20);
            assertThat(box.list(dead, 1_000)).hasSize(stay);
        }
    }

    @Test
    void identical_letters_do_not_hide_each_other() {
        byte[] body = body("twice", 10);
        publish("nowhere", Map.of(), body);
        publish(origin, Map.of(), body);
        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            List<DeadLetterEntry> both = box.list(dead, 10);
            assertThat(both)
                    .extracting(DeadLetterEntry::place)
                    .hasSize(2)
                    .containsOnly(both.get(0).place());
            assertThat(SendBack.of(box, 10_000).run(both, PERSON, () -> true)).isEqualTo(new LetterCounts(1, 0, 1, 0));
        }
        assertThat(broker.textsOn(origin)).hasSize(1);
    }

    /** Together they are more than is held. */
    @Test
    void letters_that_did_not_fit_into_memory_are_sent_back_too() {
        for (int i = 0; i < 6; i++) {
            publish(origin, Map.of(), body("large-" + i, 4_000_000));
        }
        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            List<DeadLetterEntry> letters = box.list(dead, 10);
            assertThat(box.find(dead, dead + "#nowhere")).isEmpty();
            assertThat(SendBack.of(box, 10_000).run(letters, PERSON, () -> true))
                    .isEqualTo(new LetterCounts(6, 0, 0, 0));
            assertThat(box.list(dead, 10)).isEmpty();
        }
        assertThat(broker.textsOn(origin)).hasSize(6);
    }

    @Test
    void letters_taken_during_a_search_return_after_an_idle_time() throws Exception {
        for (int i = 0; i < 5; i++) {
            write(origin, Map.of());
        }
        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            List<DeadLetterEntry> letters = box.list(dead, 10);
            assertThat(box.discard(letters.get(3), PERSON)).isTrue();
            Broker.eventually(() -> broker.textsOn(dead).size() == 4);
            assertThat(box.discard(letters.get(0), PERSON)).isTrue();
            assertThat(box.list(dead, 10)).containsExactly(letters.get(1), letters.get(2), letters.get(4));
        }
    }

    private void write(String from, Map<String, Object> headers) {
        publish(from, headers, body("e-" + ++written, 10));
    }

    private static byte[] body(String id, int bytes) {
        byte[] message = ("\"" + "x".repeat(bytes) + "\"").getBytes(StandardCharsets.UTF_8);
        return new DeadLetterBody(Optional.of(id), message, "no", Instant.EPOCH, "billing").toJson();
    }

    private void publish(String from, Map<String, Object> headers, byte[] body) {
        Map<String, Object> all = new HashMap<>(headers);
        all.put(HeaderNames.DEAD_LETTER_TOPIC, from);
        broker.run(channel -> {
            channel.confirmSelect();
            channel.basicPublish(
                    "", dead, new BasicProperties.Builder().headers(all).build(), body);
            channel.waitForConfirmsOrDie(30_000);
        });
    }
}
