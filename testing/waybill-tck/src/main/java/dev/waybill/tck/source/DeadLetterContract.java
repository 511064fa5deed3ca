package dev.waybill.tck.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.MessageLeftOutException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.format.HeaderNames;
import dev.waybill.format.LeftOut;
import dev.waybill.format.MessageHead;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.SourceException;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.destination.SentMessage;
import dev.waybill.tck.source.SourceHarness.Sent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of a broker's dead letters. A dead-letter box is complete when its subclass of this passes. */
@SuppressWarnings("NullAway.Init") // set before every test
public abstract class DeadLetterContract extends FailingLettersContract {
    private DeadLetterHarness harness;
    private GivingUp givingUp;

    @BeforeEach
    void open() throws Exception {
        harness = newDeadLetters();
        givingUp = new GivingUp(harness);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void letters_are_listed_oldest_first_and_stay_where_they_are() throws Exception {
        givingUp.giveUp("1", "2", "3");

        List<DeadLetterEntry> letters = list();
        assertThat(GivingUp.ids(letters)).containsExactly("1", "2", "3");
        assertThat(letters).doesNotHaveDuplicates().allSatisfy(letter -> {
            assertThat(letter.topic()).isEqualTo(harness.deadLetterTopic());
            assertThat(letter.origin()).isEqualTo(harness.topic());
            assertThat(letter.error()).isEqualTo("product not found");
            assertThat(letter.failedAt()).contains(GivingUp.FAILED_AT);
            assertThat(letter.consumer()).isEqualTo("billing");
            assertThat(letter.bytes()).isEqualTo("{\"id\":\"1\"}".length());
        });
        assertThat(list()).isEqualTo(letters);
        assertThat(harness.box().list(harness.deadLetterTopic(), 2)).isEqualTo(letters.subList(0, 2));
        assertThat(list()).isEqualTo(letters);
    }

    @Test
    void letters_are_counted_by_consumer_as_far_as_the_broker_tells_it() throws Exception {
        givingUp.giveUp("1", "2", "3");
        assertThat(harness.box().discard(list().get(1), PERSON)).isTrue();

        List<String> topics = List.of(harness.deadLetterTopic(), "nowhere.dlt");
        assertThat(harness.box().count(topics, DeadLetterCount.COUNTED))
                .singleElement()
                .satisfies(count -> {
                    assertThat(count.topic()).isEqualTo(harness.deadLetterTopic());
                    assertThat(count.letters()).isEqualTo(2);
                    assertThat(count.exact()).isTrue();
                    assertThat(count.byConsumer()).isIn(Map.of(), Map.of("billing", 2L));
                });
        assertThat(GivingUp.ids(list())).containsExactly("1", "3");
    }

    @Test
    void a_letter_is_found_by_its_place_until_it_is_done_with() throws Exception {
        givingUp.giveUp("1", "2", "3");
        DeadLetterEntry second = list().get(1);

        assertThat(harness.box().find(harness.deadLetterTopic(), second.place()))
                .contains(second);
        assertThat(harness.box().discard(second, PERSON)).isTrue();
        assertThat(harness.box().find(harness.deadLetterTopic(), second.place()))
                .isEmpty();
        assertThat(harness.box().find(harness.deadLetterTopic(), "nowhere")).isEmpty();
    }

    @Test
    void a_letter_without_its_message_is_never_sent_back_as_something_else() throws Exception {
        harness.send(List.of(new Sent("k", new byte[] {1, 2, 3}, Map.of("event-id", "1"))));
        try (Reading reading = Reading.of(harness.source()).await(1)) {
            InboundMessage message = reading.got().get(0);
            DeadLetterBody body =
                    new DeadLetterBody(Optional.of("1"), message.value(), "no", GivingUp.FAILED_AT, "billing");
            givingUp.publish(new OutboundMessage(
                    SentMessage.facts("1", "k"),
                    harness.deadLetterTopic(),
                    message.key(),
                    body.without(LeftOut.of("elsewhere", new byte[] {9})).toJson(),
                    DeadLetterHeaders.withoutMessage(message)));
            reading.acknowledgeAll();
        }
        DeadLetterEntry letter = list().get(0);
        assertThat(letter.contents()).isEqualTo(DeadLetterEntry.Contents.WHERE_IT_STOOD);
        assertThat(letter.bytes()).isEqualTo(1);
        assertThatExceptionOfType(MessageLeftOutException.class)
                .isThrownBy(() -> harness.box().sendBack(letter, PERSON))
                .withMessageContainingAll(letter.place(), "elsewhere");
        assertThat(list()).containsExactly(letter);
        assertThat(harness.box().discard(letter, PERSON)).isTrue();
    }

    @Test
    void an_empty_place_has_no_letters() {
        assertThat(list()).isEmpty();
    }

    @Test
    void what_is_sent_back_comes_as_it_came_and_only_once() throws Exception {
        List<InboundMessage> originals = givingUp.giveUp("1", "2", "3");
        List<DeadLetterEntry> letters = list();

        assertThat(harness.box().sendBack(letters.get(1), PERSON)).isTrue();
        assertThat(harness.box().sendBack(letters.get(1), PERSON)).isFalse();
        assertThat(harness.box().discard(letters.get(1), PERSON)).isFalse();
        assertThat(GivingUp.ids(list())).containsExactly("1", "3");

        InboundMessage back = onlyOneUntilMarker();
        InboundMessage original = originals.get(1);
        assertThat(back.value()).isEqualTo(original.value());
        assertThat(back.key()).isEqualTo(original.key());
        assertThat(back.topic()).isEqualTo(original.topic());
        assertThat(namesAndValues(back)).containsAll(namesAndValues(original));
        assertThat(back.header("dead-letter-topic")).isEmpty();
        assertThat(back.header("dead-letter-place")).isEmpty();
    }

    @Test
    void key_and_headers_that_stand_in_a_letter_are_those_of_what_is_sent_back() throws Exception {
        harness.send(List.of(new Sent("k", new byte[] {'1'}, Map.of("event-id", "1", "note", "grüße"))));
        InboundMessage original;
        try (Reading reading = Reading.of(harness.source()).await(1)) {
            original = reading.got().get(0);
            DeadLetterBody body =
                    new DeadLetterBody(Optional.of("1"), original.value(), "no", GivingUp.FAILED_AT, "billing");
            givingUp.publish(new OutboundMessage(
                    SentMessage.facts("1", "k"),
                    harness.deadLetterTopic(),
                    null,
                    body.with(MessageHead.of(original)).toJson(),
                    DeadLetterHeaders.withoutMessage(original)));
            reading.acknowledgeAll();
        }
        DeadLetterEntry letter = list().get(0);
        assertThat(letter.contents()).isEqualTo(DeadLetterEntry.Contents.MESSAGE);
        assertThat(harness.box().sendBack(letter, PERSON)).isTrue();

        InboundMessage back = onlyOneUntilMarker();
        assertThat(back.value()).isEqualTo(original.value());
        assertThat(back.key()).isEqualTo(original.key());
        assertThat(namesAndValues(back)).containsAll(namesAndValues(original));
    }

    @Test
    void what_was_sent_back_and_given_up_again_is_a_letter_once_more() throws Exception {
        givingUp.giveUp("1");
        assertThat(harness.box().sendBack(list().get(0), PERSON)).isTrue();
        try (Reading reading = Reading.of(harness.source()).await(1)) {
            givingUp.post(reading.got().get(0), Optional.of("1"));
            reading.acknowledgeAll();
        }
        List<DeadLetterEntry> letters = list();
        assertThat(GivingUp.ids(letters)).containsExactly("1");
        assertThat(letters.get(0).origin()).isEqualTo(harness.topic());
        assertThat(harness.box().sendBack(letters.get(0), PERSON)).isTrue();
        assertThat(onlyOneUntilMarker().header("event-id")).contains("1");
    }

    @Test
    void what_is_discarded_is_gone_and_not_sent() throws Exception {
        givingUp.giveUp("1", "2");
        List<DeadLetterEntry> letters = list();

        assertThat(harness.box().discard(letters.get(0), PERSON)).isTrue();
        assertThat(harness.box().discard(letters.get(0), PERSON)).isFalse();
        assertThat(harness.box().sendBack(letters.get(0), PERSON)).isFalse();
        assertThat(GivingUp.ids(list())).containsExactly("2");
        assertThat(harness.box().sendBack(letters.get(1), PERSON)).isTrue();
        assertThat(onlyOneUntilMarker().header("event-id")).contains("2");
    }

    @Test
    void a_message_that_could_not_be_read_goes_back_byte_for_byte() throws Exception {
        byte[] bytes = {0, 1, (byte) 0xff, '{'};
        harness.send(List.of(new Sent("k", bytes, Map.of("note", "x"))));
        try (Reading reading = Reading.of(harness.source()).await(1)) {
            givingUp.post(reading.got().get(0), Optional.empty());
            reading.acknowledgeAll();
        }
        DeadLetterEntry letter = list().get(0);
        assertThat(letter.eventId()).isEmpty();
        assertThat(harness.box().sendBack(letter, PERSON)).isTrue();
        assertThat(onlyOneUntilMarker().value()).isEqualTo(bytes);
    }

    @Test
    void what_cannot_be_read_is_listed_as_such_and_can_be_discarded_but_not_sent_back() throws Exception {
        byte[] foreign = "\ufeff{\"no\":\"letter\"}".getBytes(StandardCharsets.UTF_8);
        givingUp.publish(SentMessage.of(harness.deadLetterTopic(), "k", "foreign", foreign));
        givingUp.giveUp("1");

        List<DeadLetterEntry> letters = list();
        assertThat(GivingUp.ids(letters)).containsExactlyInAnyOrder("unknown", "1");
        DeadLetterEntry unreadable = letters.stream()
                .filter(letter -> letter.contents() == DeadLetterEntry.Contents.UNREADABLE)
                .findFirst()
                .orElseThrow();
        assertThat(unreadable.error()).startsWith("cannot be read").contains("byte order mark");
        assertThat(unreadable.bytes()).isEqualTo(foreign.length);
        assertThat(harness.box().find(harness.deadLetterTopic(), unreadable.place()))
                .contains(unreadable);
        assertThatExceptionOfType(LetterStaysException.class)
                .isThrownBy(() -> harness.box().sendBack(unreadable, PERSON))
                .withMessageContaining(unreadable.place());
        assertThat(list()).isEqualTo(letters);

        assertThat(harness.box().discard(unreadable, PERSON)).isTrue();
        assertThat(GivingUp.ids(list())).containsExactly("1");
    }

    @Test
    void a_letter_whose_origin_is_not_there_stays_and_holds_up_no_other() throws Exception {
        for (String origin : List.of("nowhere-" + harness.topic(), "", "\u00e4".repeat(300), "no/such name")) {
            givingUp.publish(new OutboundMessage(
                    SentMessage.facts("lost", "k"),
                    harness.deadLetterTopic(),
                    null,
                    new DeadLetterBody(Optional.of("lost"), new byte[] {'1'}, "no", GivingUp.FAILED_AT, "billing")
                            .toJson(),
                    List.of(new Header(HeaderNames.DEAD_LETTER_TOPIC, origin.getBytes(StandardCharsets.UTF_8)))));
            DeadLetterEntry lost = list().get(0);
            assertThatExceptionOfType(LetterStaysException.class)
                    .as(origin)
                    .isThrownBy(() -> harness.box().sendBack(lost, PERSON))
                    .withMessageContaining(lost.place());
            assertThat(harness.box().discard(lost, PERSON)).isTrue();
        }
        givingUp.giveUp("1");
        assertThat(harness.box().sendBack(list().get(0), PERSON)).isTrue();
        assertThat(onlyOneUntilMarker().header("event-id")).contains("1");
    }

    @Test
    void while_the_broker_is_away_letters_are_neither_listed_nor_lost() throws Exception {
        assumeTrue(harness.outage().isPresent(), "the broker cannot be taken away");
        Outage outage = harness.outage().orElseThrow();
        givingUp.giveUp("1", "2");
        List<DeadLetterEntry> letters = list();
        outage.begin();
        assertThatExceptionOfType(SourceException.class).isThrownBy(this::list);
        assertThatExceptionOfType(SourceException.class)
                .isThrownBy(() -> harness.box().sendBack(letters.get(0), PERSON));
        outage.end();
        assertThat(listOnceAvailable()).isEqualTo(letters);
    }

    /** A broker that has come back may need some time before it answers every request. */
    private List<DeadLetterEntry> listOnceAvailable() {
        long deadline = System.nanoTime() + Reading.PATIENCE.toNanos();
        while (true) {
            try {
                return list();
            } catch (SourceException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    private List<DeadLetterEntry> list() {
        return harness.box().list(harness.deadLetterTopic(), 1_000);
    }

    private static List<String> namesAndValues(InboundMessage message) {
        return message.headers().stream()
                .map(header -> header.name() + "=" + new String(header.value(), StandardCharsets.UTF_8))
                .toList();
    }

    /** The single message that arrives before a marker sent now. */
    private InboundMessage onlyOneUntilMarker() {
        harness.send(List.of(new Sent("k", "marker".getBytes(StandardCharsets.UTF_8), Map.of())));
        try (Reading reading = Reading.of(harness.source()).await("marker")) {
            reading.acknowledgeAll();
            assertThat(reading.got()).hasSize(2);
            return reading.got().get(0);
        }
    }
}
