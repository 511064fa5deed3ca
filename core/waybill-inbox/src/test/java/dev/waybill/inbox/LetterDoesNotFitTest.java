package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.LeftOut;
import dev.waybill.format.MessageReader;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages whose dead letters are too large. */
class LetterDoesNotFitTest {
    private Scene scene = scene();

    private static Scene scene() {
        return new Scene(MessageReader.envelope(), plan -> plan.on("placed", (transaction, event) -> {}));
    }

    @Test
    void a_letter_known_to_be_too_large_is_sent_without_its_message_at_once() {
        byte[] unparseable = new byte[798_720];
        scene.topic.send("a", unparseable, Scene.header("note", "x"));
        scene.topic.send("a", new byte[] {1});
        scene.topic.send("b", new byte[] {2});

        scene.run();

        assertThat(scene.topic.acknowledged()).isEqualTo(3);
        assertThat(scene.deadLetters.delivered("orders.dlt")).hasSize(3);
        OutboundMessage letter = letterOf(798_720);
        LeftOut leftOut = DeadLetterBody.of(letter.value()).leftOut().orElseThrow();
        assertThat(leftOut).isEqualTo(LeftOut.of("orders@1", unparseable));
        assertThat(leftOut.isOf(unparseable)).isTrue();
        assertThat(leftOut.isOf(new byte[798_720 - 1])).isFalse();
        assertThat(letter.key()).isEqualTo(new byte[] {'a'});
        assertThat(letter.headers()).extracting(Header::name).containsExactly("dead-letter-topic", "dead-letter-place");
    }

    @Test
    void a_letter_that_the_broker_cannot_carry_has_the_headers_inside() {
        List<Header> headers = List.of(
                Scene.header("note", "grüße"), Scene.header("note", "again"), new Header("raw", new byte[] {-1, 0}));
        DeadLetterBody body = letterAfter(1, headers);

        assertThat(body.original()).isEqualTo(new byte[2_000]);
        assertThat(body.leftOut()).isEmpty();
        assertThat(body.head().orElseThrow().key()).isEqualTo(new byte[] {'a'});
        assertThat(body.head().orElseThrow().headers())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(headers);
        assertThat(letterOf(2_000).headers())
                .extracting(Header::name)
                .containsExactly("dead-letter-topic", "dead-letter-place");
    }

    @Test
    void headers_that_cannot_be_carried_are_omitted_and_named() {
        DeadLetterBody body = letterAfter(2, List.of(Scene.header("note", "x"), Scene.header("trace", "y")));

        assertThat(body.original()).isEqualTo(new byte[2_000]);
        assertThat(body.head()).isEmpty();
        assertThat(body.leftOut().orElseThrow().headers()).containsExactly("note", "trace");
        assertThat(scene.errors.get(0)).contains("without its headers", "the letter has its body");
    }

    @Test
    void a_letter_that_does_not_fit_without_headers_is_sent_without_its_message() {
        DeadLetterBody body = letterAfter(3, List.of(Scene.header("note", "x")));

        assertThat(body.leftOut()).contains(LeftOut.of("orders@1", new byte[2_000]));
        assertThat(body.original()).isEmpty();
        assertThat(DeadLetterBody.of(letterOf(1).value()).leftOut()).isEmpty();
    }

    /** The letter of a 2,000-byte message after this many refusals as unfit. */
    private DeadLetterBody letterAfter(int refusals, List<Header> headers) {
        scene.deadLetters.failTopic("orders.dlt", refusals, Delivery.unfit("the topic takes 1,000 bytes"));
        scene.topic.send("a", new byte[2_000], headers.toArray(Header[]::new));
        scene.topic.send("a", new byte[] {1});

        scene.run();

        assertThat(scene.topic.acknowledged()).isEqualTo(2);
        return DeadLetterBody.of(letterOf(2_000).value());
    }

    @Test
    void when_headers_make_a_letter_too_large_the_body_stays_in_it() {
        scene.topic.send("a", new byte[300_000], Scene.header("large", "x".repeat(900_000)));
        scene.run();

        DeadLetterBody body = DeadLetterBody.of(letterOf(300_000).value());
        assertThat(body.original()).isEqualTo(new byte[300_000]);
        assertThat(body.leftOut().orElseThrow().headers()).containsExactly("large");
    }

    @Test
    void while_the_topic_for_letters_is_missing_nothing_is_omitted() {
        for (int refusals = 1; refusals <= 21; refusals++) {
            scene = scene();
            scene.deadLetters.failTopic("orders.dlt", refusals, new Delivery.Refused("no such topic"));
            scene.topic.send("a", new byte[2_000]);
            for (int i = 0; i < refusals; i++) {
                scene.run();
                assertThat(scene.topic.acknowledged()).isZero();
                ConsumerHealth health = scene.shared.problems().health();
                assertThat(health.state()).isEqualTo(ConsumerHealth.State.WAITING);
                assertThat(health.reason()).contains("no such topic");
                scene.clock.advance(Duration.ofSeconds(5));
            }
            scene.run();

            assertThat(DeadLetterBody.of(letterOf(2_000).value()).leftOut()).isEmpty();
            assertThat(scene.topic.acknowledged()).isEqualTo(1);
        }
    }

    @Test
    void a_letter_that_did_not_fit_is_sent_complete_after_its_topic_was_missing() {
        scene.deadLetters.failTopic("orders.dlt", 1, Delivery.unfit("the topic takes 1,000 bytes"));
        scene.deadLetters.failTopic("orders.dlt", 1, new Delivery.Refused("no such topic"));
        scene.topic.send("a", new byte[2_000]);
        scene.run();
        assertThat(scene.deadLetters.delivered()).isEmpty();
        scene.clock.advance(Duration.ofSeconds(5));
        scene.run();

        assertThat(DeadLetterBody.of(letterOf(2_000).value()).leftOut()).isEmpty();
    }

    @Test
    void letters_without_their_message_are_summarized_separately() {
        for (int i = 0; i < ProblemReport.EACH + 9; i++) {
            scene.topic.send("small " + i, new byte[] {1});
            scene.topic.send("large " + i, new byte[798_720]);
        }
        scene.run();
        scene.givenUp.tellRest();

        int single = 2 * ProblemReport.EACH;
        assertThat(scene.errors).hasSize(single + 2);
        assertThat(scene.errors.get(0)).contains("Send it back from there");
        assertThat(scene.errors.get(1)).contains("without its body and headers");
        assertThat(scene.errors.get(single)).contains("9 more messages given up since");
        assertThat(scene.errors.get(single + 1))
                .contains("9 more messages given up whose dead letters lack headers, or body");
    }

    @Test
    void a_key_that_no_broker_accepts_is_omitted() {
        scene.topic.send("k".repeat(5_000), new byte[900_000]);

        scene.run();

        assertThat(letterOf(900_000).key()).isNull();
    }

    private OutboundMessage letterOf(int bytes) {
        List<OutboundMessage> letters = scene.deadLetters.delivered("orders.dlt").stream()
                .filter(letter -> DeadLetterBody.of(letter.value()).bytes() == bytes)
                .toList();
        assertThat(letters).hasSize(1);
        return letters.get(0);
    }
}
