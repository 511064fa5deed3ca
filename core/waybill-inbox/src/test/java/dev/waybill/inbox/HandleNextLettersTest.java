package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.Bursts;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.memory.InMemoryInbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Messages that are given up become dead letters, and are acknowledged only after that. */
class HandleNextLettersTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private Scene scene;

    @Test
    void after_the_last_attempt_an_event_is_a_dead_letter_and_its_key_continues() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (event.id().equals("e1")) {
                throw new IllegalStateException("never");
            }
            note(transaction, event);
        }));
        scene.send("e1", "a", "{\"n\": 1}");
        scene.send("e2", "a", "two");

        scene.runFor(Duration.ofSeconds(10));

        assertThat(scene.effects).containsExactly("two");
        assertThat(scene.statistics.failures()).isEqualTo(3);
        JsonNode letter = JSON.readTree(onlyLetter().value());
        assertThat(letter.propertyNames())
                .containsExactly("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");
        assertThat(letter.get("eventId").asString()).isEqualTo("e1");
        assertThat(letter.get("originalEvent").get("n").asInt()).isEqualTo(1);
        assertThat(letter.get("errorMessage").asString()).isEqualTo("never");
        assertThat(letter.get("consumerService").asString()).isEqualTo("billing");
        assertThat(new String(onlyLetter().value(), StandardCharsets.UTF_8)).contains("{\"n\": 1}");
    }

    @Test
    void a_permanent_failure_is_a_dead_letter_at_once_even_if_wrapped() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            throw new IllegalStateException("wrapped", new PermanentFailureException("no such product"));
        }));
        scene.send("e1", "a", "one");

        scene.run();

        assertThat(scene.statistics.failures()).isEqualTo(1);
        assertThat(scene.topic.acknowledged()).isEqualTo(1);
        assertThat(onlyLetter().topic()).isEqualTo("orders.dlt");
    }

    @Test
    void a_malformed_message_keeps_its_bytes_and_its_handler_is_not_called() {
        scene = new Scene(MessageReader.envelope(), plan -> plan.on("placed", this::note));
        byte[] bytes = {'{', '"', (byte) 0xff, 0};
        scene.topic.send("a", bytes);

        scene.run();

        JsonNode letter = JSON.readTree(onlyLetter().value());
        assertThat(letter.get("originalEvent").isNull()).isTrue();
        assertThat(Base64.getDecoder().decode(letter.get("originalBytes").asString()))
                .isEqualTo(bytes);
        assertThat(letter.get("eventId").isNull()).isTrue();
        assertThat(onlyLetter().key()).isEqualTo("a".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "\u001b[2J", "\ud800", "\0", " "})
    void an_id_that_the_inbox_cannot_store_makes_a_letter_at_once(String id) {
        scene = new Scene(MessageReader.envelope(), plan -> plan.on("placed", this::note));
        scene.topic.send("a", envelope(id));

        scene.run();

        assertThat(scene.statistics.failures()).isZero();
        assertThat(scene.effects).isEmpty();
        assertThat(onlyLetter().event().id().toString()).isEqualTo("orders@1");
    }

    @Test
    void a_message_with_two_different_ids_is_a_letter_at_once() {
        scene = new Scene(plan -> plan.on("placed", this::note));
        Header type = Scene.header("event-type", "placed");
        scene.topic.send("a", "two ids", Scene.header("event-id", "1"), Scene.header("event-id", "2"), type);
        scene.topic.send("b", "one id", Scene.header("event-id", "1"), Scene.header("event-id", "1"), type);

        scene.run();

        assertThat(scene.effects).containsExactly("one id");
        assertThat(JSON.readTree(onlyLetter().value()).get("errorMessage").asString())
                .contains("2 headers event-id");
    }

    @Test
    void keys_and_headers_of_a_letter_are_short() {
        scene = new Scene(
                MessageReader.envelope(),
                plan -> plan.on("placed", (transaction, event) -> {
                    throw new PermanentFailureException("no such product");
                }));
        scene.topic.send("a", envelope("ü".repeat(200)));

        scene.run();

        assertThat(onlyLetter().event().id().toString()).isEqualTo("orders@1");
        assertThat(JSON.readTree(onlyLetter().value()).get("eventId").asString())
                .isEqualTo("ü".repeat(200));
    }

    private static byte[] envelope(String id) {
        return JSON.writeValueAsBytes(Map.of("eventId", id, "eventType", "placed", "data", 1));
    }

    static Stream<Delivery> not_delivered() {
        return Stream.of(
                new Delivery.Refused("no such topic"),
                new Delivery.Retry("not now"),
                new Delivery.InDoubt("its partition is unavailable"),
                new Delivery.Unavailable("no broker"),
                Delivery.BEHIND);
    }

    @ParameterizedTest
    @MethodSource("not_delivered")
    void while_its_dead_letter_is_not_accepted_a_message_holds_its_key(Delivery answer) {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            if (event.id().equals("e1")) {
                throw new PermanentFailureException("never");
            }
            note(transaction, event);
        }));
        scene.deadLetters.failTopic("orders.dlt", 1, answer);
        scene.send("e1", "a", "a1");
        scene.send("e2", "a", "a2");
        scene.send("e3", "b", "b1");

        scene.run();
        assertThat(scene.effects).containsExactly("b1");
        assertThat(scene.topic.acknowledged()).isEqualTo(1);
        scene.clock.advance(Duration.ofSeconds(5));
        scene.run();

        assertThat(scene.effects).containsExactly("b1", "a2");
        assertThat(scene.topic.acknowledged()).isEqualTo(3);
        assertThat(scene.deadLetters.delivered("orders.dlt")).hasSize(1);
    }

    @Test
    void many_given_up_messages_are_summarized_in_the_log() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            throw new PermanentFailureException("bad");
        }));
        for (int i = 1; i <= 1_000; i++) {
            scene.send("e" + i, "k" + i, "x");
        }
        scene.run();
        scene.givenUp.tell();
        assertThat(scene.statistics.dead()).isEqualTo(1_000);
        assertThat(scene.errors).hasSize(ProblemReport.EACH);
        assertThat(scene.errors.get(0))
                .contains("event e1 (placed) at orders@1 was given up after 1 attempt", "orders.dlt");

        scene.clock.advance(Bursts.QUIET);
        scene.givenUp.tell();
        scene.givenUp.tellRest();
        assertThat(scene.errors).hasSize(ProblemReport.EACH + 1);
        assertThat(scene.errors.get(ProblemReport.EACH))
                .contains("980 more messages given up", "at orders@1000 was given up");
    }

    @Test
    void every_failed_attempt_and_the_giving_up_are_logged_with_event_and_trace() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            throw new IllegalStateException("personal data");
        }));
        scene.topic.send(
                "k1",
                "x",
                Scene.header("event-id", "e1"),
                Scene.header("event-type", "placed"),
                Scene.header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        for (int attempt = 0; attempt < 3; attempt++) {
            scene.run();
            scene.clock.advance(Duration.ofSeconds(2));
        }

        assertThat(scene.lines).allSatisfy(line -> {
            assertThat(line.eventId()).contains("e1");
            assertThat(line.traceId()).contains("4bf92f3577b34da6a3ce929d0e0e4736");
            assertThat(line.words()).contains("event e1 (placed) at orders@1").doesNotContain("personal");
        });
        assertThat(scene.lines)
                .extracting(ProblemReport.Line::level)
                .containsExactly(Level.WARN, Level.WARN, Level.ERROR);
        assertThat(scene.lines.get(1).words()).contains("java.lang.IllegalStateException (attempt 2 of 3)");
        assertThat(scene.lines.get(2).words()).contains("given up after 3 attempts; it is in orders.dlt");
    }

    @Test
    void the_trace_of_an_envelope_is_in_its_metadata() {
        scene = new Scene(
                MessageReader.envelope(),
                plan -> plan.on("placed", (transaction, event) -> {
                    throw new PermanentFailureException("bad");
                }));
        scene.topic.send(
                "k",
                JSON.writeValueAsBytes(Map.of(
                        "eventId", "e1", "eventType", "placed", "data", 1, "metadata", Map.of("traceId", "trace-1"))));
        scene.run();

        assertThat(scene.lines).singleElement().satisfies(line -> {
            assertThat(line.eventId()).contains("e1");
            assertThat(line.traceId()).contains("trace-1");
        });
    }

    @Test
    void many_letters_not_accepted_are_summarized_in_the_log() {
        scene = new Scene(plan -> plan.on("placed", (transaction, event) -> {
            throw new PermanentFailureException("bad");
        }));
        scene.deadLetters.failTopic("orders.dlt", 100, new Delivery.Retry("full"));
        for (int i = 1; i <= 100; i++) {
            scene.send("e" + i, "k" + i, "x");
        }
        scene.run();
        assertThat(scene.errors).hasSize(1).first().asString().contains("cannot be sent to orders.dlt (full)");
        scene.givenUp.tellRest();
        assertThat(scene.errors).hasSize(2);
        assertThat(scene.errors.get(1)).contains("99 more dead letters not accepted");
    }

    private OutboundMessage onlyLetter() {
        List<OutboundMessage> letters = scene.deadLetters.delivered("orders.dlt");
        assertThat(letters).hasSize(1);
        return letters.get(0);
    }

    private void note(InMemoryInbox.Transaction transaction, ReceivedEvent event) {
        scene.note(transaction, event);
    }
}
