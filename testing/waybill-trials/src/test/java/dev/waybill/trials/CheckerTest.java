package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The checker fails if and only if a rule is broken. */
class CheckerTest {
    private final UUID a1 = UUID.randomUUID();
    private final UUID a2 = UUID.randomUUID();
    private final UUID b1 = UUID.randomUUID();
    private final UUID rolledBack = UUID.randomUUID();
    private final Map<UUID, Committed> database =
            new HashMap<>(Map.of(a1, new Committed("a", 1), a2, new Committed("a", 2), b1, new Committed("b", 1)));
    private final WriterLog log = new WriterLog();

    CheckerTest() {
        log.ok(List.of(a1, a2, b1));
        log.failed(List.of(rolledBack));
    }

    @Test
    void everything_once_and_in_order_is_good() {
        Verdict verdict = judge(b1, a1, a2);

        assertThat(verdict.isGood()).as(verdict.toString()).isTrue();
        assertThat(verdict.duplicates()).isZero();
    }

    @Test
    void a_dropped_event_is_lost() {
        Verdict verdict = judge(a1, b1);

        assertThat(verdict.lost()).singleElement().asString().contains(a2.toString());
        assertThat(verdict.isGood()).isFalse();
    }

    @Test
    void an_event_that_the_database_lost_after_saying_ok_is_lost() {
        database.remove(a2);

        assertThat(judge(a1, b1).lost()).hasSize(1);
    }

    @Test
    void a_rolled_back_event_is_a_ghost() {
        Verdict verdict = judge(a1, rolledBack, a2, b1);

        assertThat(verdict.ghosts()).singleElement().asString().contains(rolledBack.toString());
        assertThat(verdict.isGood()).isFalse();
    }

    @Test
    void an_event_nobody_wrote_is_a_ghost() {
        assertThat(judge(a1, a2, b1, UUID.randomUUID()).isGood()).isFalse();
    }

    @Test
    void an_event_that_was_rolled_back_but_is_in_the_database_is_a_ghost() {
        database.put(rolledBack, new Committed("c", 1));

        assertThat(judge(a1, a2, b1, rolledBack).ghosts()).hasSize(1);
    }

    @Test
    void swapped_first_deliveries_of_a_key_are_an_inversion() {
        Verdict verdict = judge(a2, b1, a1);

        assertThat(verdict.inversions()).singleElement().asString().contains(a1.toString());
        assertThat(verdict.isGood()).isFalse();
    }

    @Test
    void a_key_has_no_order_between_topics() {
        List<Delivered> stream = List.of(message(a2, "one"), message(a1, "other"), message(b1, "one"));

        assertThat(Checker.judge(database, log, stream).isGood()).isTrue();
    }

    @Test
    void duplicates_are_counted_and_are_no_inversions() {
        Verdict verdict = judge(a1, a2, a1, a2, b1, a1);

        assertThat(verdict.duplicates()).isEqualTo(3);
        assertThat(verdict.isGood()).isTrue();
    }

    @Test
    void an_event_of_unknown_fate_may_be_seen_or_not() {
        UUID seen = UUID.randomUUID();
        UUID undone = UUID.randomUUID();
        log.unknown(List.of(seen, undone));
        database.put(seen, new Committed("c", 1));

        Verdict verdict = judge(a1, a2, b1, seen);

        assertThat(verdict.recovered()).isEqualTo(1);
        assertThat(verdict.isGood()).as(verdict.toString()).isTrue();
    }

    @Test
    void an_event_of_unknown_fate_that_is_in_the_database_must_be_seen() {
        UUID recovered = UUID.randomUUID();
        log.unknown(List.of(recovered));
        database.put(recovered, new Committed("c", 1));

        assertThat(judge(a1, a2, b1).lost()).hasSize(1);
    }

    @Test
    void a_run_without_events_proves_nothing() {
        assertThat(Checker.judge(Map.of(), new WriterLog(), List.of()).isGood()).isFalse();
    }

    private Verdict judge(UUID... stream) {
        return Checker.judge(
                database, log, Stream.of(stream).map(id -> message(id, "one")).toList());
    }

    private static Delivered message(UUID id, String topic) {
        return new Delivered(id, topic, 1, Instant.EPOCH);
    }
}
