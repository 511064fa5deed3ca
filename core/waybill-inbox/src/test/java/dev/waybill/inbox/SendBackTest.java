package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.MessageLeftOutException;
import dev.waybill.spi.SourceException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SendBackTest {
    private static final Actor NIGHT_SHIFT = new Actor("night shift", "mended");

    private final List<Long> sentAt = new ArrayList<>();
    private long now;

    @Test
    void letters_are_sent_back_within_the_rate() {
        SendBack sendBack = SendBack.at(box(), 4, () -> now, nanos -> now += nanos);

        assertThat(sendBack.run(letters(5), NIGHT_SHIFT, () -> true)).isEqualTo(new LetterCounts(5, 0, 0, 0));
        assertThat(sentAt.stream().map(nanos -> Duration.ofNanos(nanos).toMillis()))
                .containsExactly(0L, 250L, 500L, 750L, 1000L);
    }

    @Test
    void sending_back_can_be_stopped() {
        SendBack sendBack = SendBack.at(box(), 1_000, () -> now, nanos -> now += nanos);

        assertThat(sendBack.run(letters(100), NIGHT_SHIFT, () -> sentAt.size() < 7))
                .isEqualTo(new LetterCounts(7, 0, 0, 93));
    }

    @Test
    void missing_letters_are_counted() {
        SendBack sendBack = SendBack.at(box(), 1_000, () -> now, nanos -> now += nanos);
        List<DeadLetterEntry> letters = new ArrayList<>(letters(3));
        letters.set(1, letter("gone"));

        LetterCounts counts = sendBack.run(letters, NIGHT_SHIFT, () -> true);
        assertThat(counts).isEqualTo(new LetterCounts(2, 1, 0, 0));
        assertThat(counts.isAll()).isFalse();
    }

    @Test
    void letters_without_their_message_are_reported_and_others_are_sent_back() {
        SendBack sendBack = SendBack.at(box(), 1_000, () -> now, nanos -> now += nanos);
        List<DeadLetterEntry> letters = new ArrayList<>(letters(3));
        letters.set(1, letter("large", DeadLetterEntry.Contents.WHERE_IT_STOOD));
        List<String> told = new ArrayList<>();

        assertThat(sendBack.run(
                        letters, NIGHT_SHIFT, () -> true, (letter, why) -> told.add(String.valueOf(why.getMessage()))))
                .isEqualTo(new LetterCounts(2, 0, 1, 0));
        assertThat(told).hasSize(1).allMatch(message -> message.contains("orders-0@1") && message.contains("large"));
    }

    @Test
    void a_letter_that_cannot_be_sent_back_does_not_stop_the_others() {
        SendBack sendBack = SendBack.at(box(), 1_000, () -> now, nanos -> now += nanos);
        List<DeadLetterEntry> letters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            letters.add(letter("no such origin"));
        }
        letters.add(letter("broker fails"));
        letters.add(letter("cannot be noted"));
        letters.addAll(letters(2));
        List<String> told = new ArrayList<>();

        assertThat(sendBack.run(letters, NIGHT_SHIFT, () -> true, (letter, why) -> told.add(letter.place())))
                .isEqualTo(new LetterCounts(2, 0, 7, 0));
        assertThat(told).hasSize(7);
        assertThat(sendBack.run(letters, NIGHT_SHIFT, () -> true).done()).isEqualTo(2);
    }

    @Test
    void an_unavailable_broker_is_not_tried_for_every_letter() {
        SendBack sendBack = SendBack.at(box(), 1_000, () -> now, nanos -> now += nanos);
        List<String> told = new ArrayList<>();

        assertThat(sendBack.run(
                        Collections.nCopies(10_000, letter("broker fails")),
                        NIGHT_SHIFT,
                        () -> true,
                        (letter, why) -> told.add(letter.place())))
                .isEqualTo(new LetterCounts(0, 0, 3, 9_997));
        assertThat(told).hasSize(3);
    }

    @Test
    void discarding_counts_every_letter_too() {
        List<DeadLetterEntry> letters = new ArrayList<>(letters(2));
        letters.add(letter("gone"));
        letters.addAll(Collections.nCopies(5, letter("broker fails")));
        List<String> told = new ArrayList<>();

        assertThat(Discard.of(box()).run(letters, NIGHT_SHIFT, () -> true, (letter, why) -> told.add(letter.place())))
                .isEqualTo(new LetterCounts(2, 1, 3, 2));
        assertThat(told).hasSize(3);
    }

    @Test
    void a_rate_below_one_is_refused() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> SendBack.of(box(), 0));
    }

    private DeadLetterBox box() {
        return new DeadLetterBox() {
            @Override
            public List<DeadLetterEntry> list(String topic, int atMost) {
                return letters(atMost);
            }

            @Override
            public Set<String> topics() {
                return Set.of();
            }

            @Override
            public List<DeadLetterCount> count(Collection<String> topics, int atMost) {
                return List.of();
            }

            @Override
            public Optional<DeadLetterEntry> find(String topic, String place) {
                return Optional.empty();
            }

            @Override
            public boolean sendBack(DeadLetterEntry letter, Actor by) {
                if (letter.contents() == DeadLetterEntry.Contents.WHERE_IT_STOOD) {
                    throw new MessageLeftOutException(letter, "orders-0@1", "it is gone");
                }
                if (letter.place().equals("no such origin")) {
                    throw new LetterStaysException(letter, "there is no such topic");
                }
                if (letter.place().equals("cannot be noted")) {
                    throw new IllegalStateException("the audit is away");
                }
                if (letter.place().equals("broker fails")) {
                    throw new SourceException("the broker failed", new IllegalStateException());
                }
                boolean there = !letter.place().equals("gone");
                if (there) {
                    sentAt.add(now);
                }
                return there;
            }

            @Override
            public boolean discard(DeadLetterEntry letter, Actor by) {
                if (letter.place().equals("broker fails")) {
                    throw new SourceException("the broker failed", new IllegalStateException());
                }
                return !letter.place().equals("gone");
            }
        };
    }

    private static List<DeadLetterEntry> letters(int count) {
        List<DeadLetterEntry> letters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            letters.add(letter("orders.dlt-0@" + i));
        }
        return letters;
    }

    private static DeadLetterEntry letter(String place) {
        return letter(place, DeadLetterEntry.Contents.MESSAGE);
    }

    private static DeadLetterEntry letter(String place, DeadLetterEntry.Contents contents) {
        return new DeadLetterEntry(
                "orders.dlt",
                place,
                "orders",
                Optional.empty(),
                "error",
                Optional.of(Instant.EPOCH),
                "billing",
                1,
                contents);
    }
}
