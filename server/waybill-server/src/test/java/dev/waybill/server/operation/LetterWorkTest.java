package dev.waybill.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.server.checkup.AuditedBox;
import dev.waybill.testkit.Await;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LetterWorkTest {
    private static final Actor ADA = new Actor("ada", "mended");

    private static DeadLetterEntry letter(String place) {
        return new DeadLetterEntry(
                "orders.dlt",
                place,
                "orders",
                Optional.empty(),
                "no",
                Optional.empty(),
                "billing",
                1,
                DeadLetterEntry.Contents.MESSAGE);
    }

    /** A broker that treats letters as their places say. */
    private static final class Broker implements DeadLetterBox {
        @Override
        public List<DeadLetterEntry> list(String topic, int atMost) {
            return List.of();
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
            return switch (letter.place()) {
                case "refused" -> throw new LetterStaysException(letter, "there is no such topic");
                case "answer lost" -> throw new IllegalStateException("the connection was closed");
                case "gone" -> false;
                case "too much" -> throw new OutOfMemoryError("heap");
                default -> true;
            };
        }

        @Override
        public boolean discard(DeadLetterEntry letter, Actor by) {
            return sendBack(letter, by);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_letter_whose_answer_is_lost_is_neither_done_nor_failed(boolean back) {
        Operation.View ended = ended(back, "one", "answer lost", "refused", "gone", "two");
        assertThat(List.of(ended.done(), ended.skipped(), ended.failed(), ended.unknown()))
                .containsExactly(2L, 1L, 1L, 1L);
        assertThat(ended.error().orElseThrow())
                .contains("there is no such topic")
                .contains("Whether 1 letter was " + (back ? "sent back" : "discarded") + " is unknown");
    }

    @Test
    void refused_letters_have_a_reason() {
        Operation.View ended = ended(true, "refused", "refused");
        assertThat(ended.failed()).isEqualTo(2);
        assertThat(ended.error().orElseThrow()).contains("there is no such topic");
    }

    @Test
    void letters_of_a_step_that_the_machine_could_not_finish_are_unknown() {
        Operation.View ended = ended(true, "one", "too much", "two");
        assertThat(ended.state()).isEqualTo(Operation.State.FAILED);
        assertThat(ended.unknown()).isEqualTo(3);
    }

    private static Operation.View ended(boolean back, String... places) {
        List<DeadLetterEntry> letters =
                Stream.of(places).map(LetterWorkTest::letter).toList();
        Work work = new LetterWork(new AuditedBox(new Broker(), List.of()), back, letters);
        try (Operations operations = new Operations(InstantSource.system())) {
            Target target = Target.letters(back ? "send-back" : "discard", "kafka", "orders.dlt", "some letters");
            String token = operations
                    .offer("ada", new Prepared(target, letters.size(), "", false, work))
                    .token();
            String id = operations.start(token, ADA, 10_000).orElseThrow().id();
            Await.until(
                    "the end", () -> operations.find(id).orElseThrow().endedAt().isPresent());
            return operations.find(id).orElseThrow();
        }
    }
}
