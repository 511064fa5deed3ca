package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.spi.SourceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who deals with letters for longer than Pub/Sub keeps them from others. */
class PubSubLeasesTest {
    private static final Actor PERSON = new Actor("anna", "mended");

    private final PubSubServer server = new PubSubServer();
    private final Topics topics = new Topics(server.address());
    private final String origin = topics.create();
    private final String dead = origin + ".dlt";
    private final PubSubOptions options =
            PubSubOptions.of(Topics.PROJECT).emulator(server.address()).deliveryTimeout(Duration.ofSeconds(5));
    private long now;
    private boolean slow;
    private final PubSubDeadLetters box = PubSubDeadLetters.at(this::clock, options);

    /** If it is slow, the lease has ended before the first acknowledgement arrives. */
    private long clock() {
        return slow && deliveries().unacknowledged() < 8
                ? now + Duration.ofSeconds(80).toNanos()
                : now;
    }

    @BeforeEach
    void write() {
        topics.create(dead, false);
        List<PubsubMessage> letters = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            byte[] message = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
            letters.add(PubsubMessage.newBuilder()
                    .setData(ByteString.copyFrom(
                            new DeadLetterBody(Optional.of("e" + i), message, "no", Instant.EPOCH, "billing").toJson()))
                    .putAttributes(HeaderNames.DEAD_LETTER_TOPIC, origin)
                    .build());
        }
        topics.publish(dead, letters);
    }

    @AfterEach
    void end() {
        box.close();
        topics.close();
        server.close();
    }

    @Test
    void leases_are_renewed_while_letters_are_processed() {
        List<DeadLetterEntry> letters = box.list(dead, 10);
        assertThat(letters).hasSize(8);
        for (int i = 0; i < 8; i++) {
            now += Duration.ofSeconds(45).toNanos();
            boolean done = i % 2 == 0 ? box.sendBack(letters.get(i), PERSON) : box.discard(letters.get(i), PERSON);
            assertThat(done).as("letter " + i).isTrue();
        }
        assertThat(box.list(dead, 10)).isEmpty();
        assertThat(topics.read(origin)).hasSize(4);
        assertThat(deliveries().counts())
                .as("once for the list, once to be dealt with")
                .containsOnly(2);
    }

    @Test
    void letters_can_be_processed_after_their_lease_has_ended() {
        List<DeadLetterEntry> letters = box.list(dead, 10);
        for (long seconds : List.of(10L, 30L, 55L, 59L, 61L, 66L, 69L, 71L)) {
            DeadLetterEntry letter = letters.get(0);
            assertThat(box.find(dead, letter.place())).contains(letter);
            now += Duration.ofSeconds(seconds).toNanos();
            assertThat(box.sendBack(letter, PERSON)).as(seconds + " s").isTrue();
            letters = letters.subList(1, letters.size());
        }
    }

    @Test
    void a_late_acknowledgement_is_reported() {
        DeadLetterEntry letter = box.list(dead, 10).get(0);
        assertThat(box.find(dead, letter.place())).isPresent();
        slow = true;
        assertThatExceptionOfType(SourceException.class)
                .isThrownBy(() -> box.discard(letter, PERSON))
                .withMessageContainingAll(letter.place(), "may be delivered again");
    }

    private Deliveries deliveries() {
        return server.subscriber().deliveries(Topics.path("subscriptions", dead));
    }
}
