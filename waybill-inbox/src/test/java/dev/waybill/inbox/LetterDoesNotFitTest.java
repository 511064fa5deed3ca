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

/** What becomes of messages whose dead letters are too large. */
class LetterDoesNotFitTest {
    private final Scene scene =
            new Scene(MessageReader.envelope(), plan -> plan.on("placed", (transaction, event) -> {}));

    @Test
    void a_letter_known_to_be_too_large_goes_without_its_message_at_once() {
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
    void a_letter_that_the_broker_refuses_twice_goes_without_its_message() {
        scene.deadLetters.failTopic("orders.dlt", 2, new Delivery.Refused("the topic takes 1,000 bytes"));
        scene.topic.send("a", new byte[2_000]);
        scene.topic.send("a", new byte[] {1});

        scene.run();
        assertThat(scene.deadLetters.delivered())
                .as("the place may have been missing")
                .isEmpty();
        scene.clock.advance(Duration.ofSeconds(5));
        scene.run();

        assertThat(scene.topic.acknowledged()).isEqualTo(2);
        assertThat(DeadLetterBody.of(letterOf(2_000).value()).leftOut()).isPresent();
        assertThat(DeadLetterBody.of(letterOf(1).value()).leftOut()).isEmpty();
    }

    @Test
    void while_there_is_no_place_for_letters_nothing_is_left_out_for_it() {
        scene.deadLetters.failTopic("orders.dlt", 21, new Delivery.Refused("no such topic"));
        scene.topic.send("a", new byte[2_000]);
        for (int i = 0; i < 12; i++) {
            scene.run();
            scene.clock.advance(Duration.ofSeconds(5));
        }

        assertThat(DeadLetterBody.of(letterOf(2_000).value()).leftOut()).isEmpty();
        assertThat(scene.topic.acknowledged()).isEqualTo(1);
    }

    @Test
    void an_event_with_a_key_no_broker_takes_goes_without_it() {
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
