package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.tck.memory.InMemoryInbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What RabbitMQ took as a message comes back from its dead letter, whatever its headers are. */
class RabbitLettersTest {
    private static final byte[] VALUE = "{\"amount\": 4711}".getBytes(StandardCharsets.UTF_8);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @RegisterExtension
    private static final Broker broker = new Broker();

    static Stream<Arguments> headers() {
        Map<String, Object> many = new LinkedHashMap<>();
        for (int i = 0; i < 2_000; i++) {
            many.put("a-header-with-a-name-of-some-length-" + i, "v");
        }
        return Stream.of(
                Arguments.of("122 KB of headers", Map.of("trace", "x".repeat(122_000))),
                Arguments.of("as many as fit into a frame", Map.of("trace", "x".repeat(130_000))),
                Arguments.of("2,000 short headers", many),
                Arguments.of("a content type of 300 characters", Map.of("content-type", "c".repeat(300))),
                Arguments.of("a key of 100 KB", Map.of(RabbitDestination.KEY_HEADER, "k".repeat(100_000))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headers")
    void a_message_comes_back_from_its_letter_with_body_and_headers(String name, Map<String, Object> unusual)
            throws Exception {
        String queue = broker.newTopic();
        Map<String, Object> headers = new LinkedHashMap<>(unusual);
        headers.put("event-id", "e1");
        headers.put("event-type", "placed");
        BasicProperties properties =
                new BasicProperties.Builder().headers(headers).build();
        broker.run(channel -> channel.basicPublish("", queue, properties, VALUE));
        String letters = giveUp(queue);

        try (RabbitDeadLetters box = RabbitDeadLetters.of(broker.options())) {
            List<DeadLetterEntry> all = box.list(letters, 10);
            assertThat(all).extracting(DeadLetterEntry::contents).containsExactly(DeadLetterEntry.Contents.MESSAGE);
            assertThat(box.sendBack(all.get(0), new Actor("anna", "mended"))).isTrue();
        }
        List<GetResponse> back = new ArrayList<>();
        broker.eachOn(queue, back::add);
        assertThat(back).hasSize(1);
        assertThat(back.get(0).getBody()).isEqualTo(VALUE);
        Map<String, Object> restored = back.get(0).getProps().getHeaders();
        headers.forEach((header, value) -> assertThat(restored.get(header)).hasToString(value.toString()));
    }

    /** By a consumer whose handler takes nothing. */
    private static String giveUp(String queue) {
        String letters = broker.newTopic();
        InMemoryInbox inbox = new InMemoryInbox();
        try (RabbitDestination own = RabbitDestination.of(broker.options().exchange(""));
                EventConsumer consumer = EventConsumer.named("billing", inbox, inbox)
                        .from(RabbitSource.of(broker.options(), List.of(queue)), MessageReader.raw())
                        .on("placed", (transaction, event) -> {
                            throw new PermanentFailureException("no such product");
                        })
                        .deadLettersTo(own)
                        .deadLetterTopic(topic -> letters)
                        .start()) {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (consumer.statistics().dead() == 0) {
                assertThat(System.nanoTime() - deadline)
                        .as("waited for the letter: %s", consumer.health())
                        .isNegative();
                LockSupport.parkNanos(1_000_000);
            }
        }
        return letters;
    }
}
