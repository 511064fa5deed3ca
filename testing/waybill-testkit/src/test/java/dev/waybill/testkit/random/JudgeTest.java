package dev.waybill.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private final ReadEvent a1 = event("a", 1);
    private final ReadEvent a2 = event("a", 2);
    private final ReadEvent b1 = event("b", 1);
    private final WriterLog log = new WriterLog();

    @Test
    void a_reader_that_read_all_once_and_in_order_passes() {
        Verdict verdict = Judge.judge(rows(a1, a2, b1), List.of(b1, a1, a2), log);

        assertThat(verdict.exactlyOnceInOrder()).isTrue();
    }

    @Test
    void a_committed_event_that_was_not_read_is_lost() {
        Verdict verdict = Judge.judge(rows(a1, a2, b1), List.of(a1, b1), log);

        assertThat(verdict.lost()).singleElement().asString().contains(a2.id().toString());
        assertThat(verdict.nothingSkipped()).isFalse();
    }

    @Test
    void an_event_that_was_read_twice_is_repeated_but_not_skipped() {
        Verdict verdict = Judge.judge(rows(a1, a2), List.of(a1, a2, a1), log);

        assertThat(verdict.repeated()).hasSize(1);
        assertThat(verdict.inversions()).isEmpty();
        assertThat(verdict.exactlyOnceInOrder()).isFalse();
        assertThat(verdict.nothingSkipped()).isTrue();
    }

    @Test
    void an_event_that_is_not_committed_is_a_ghost() {
        Verdict verdict = Judge.judge(rows(a1), List.of(a1, a2), log);

        assertThat(verdict.ghosts()).hasSize(1);
        assertThat(verdict.nothingSkipped()).isFalse();
    }

    @Test
    void a_first_read_behind_a_later_one_of_its_key_is_an_inversion() {
        Verdict verdict = Judge.judge(rows(a1, a2, b1), List.of(a2, b1, a1), log);

        assertThat(verdict.inversions()).hasSize(1);
        assertThat(verdict.nothingSkipped()).isFalse();
    }

    @Test
    void a_server_that_undid_a_commit_or_kept_a_rollback_is_told() {
        log.ok(List.of(a1.id()));
        log.failed(List.of(a2.id()));
        log.unknown(List.of(b1.id()));

        Verdict verdict = Judge.judge(rows(a2), List.of(a2), log);

        assertThat(verdict.broken()).hasSize(2);
        assertThat(verdict.nothingSkipped()).isFalse();
    }

    @Test
    void a_run_without_events_proves_nothing() {
        assertThat(Judge.judge(List.of(), List.of(), log).nothingSkipped()).isFalse();
    }

    private static ReadEvent event(String key, long n) {
        return new ReadEvent(UUID.randomUUID(), key, n);
    }

    private static List<Judge.Committed> rows(ReadEvent... events) {
        return Stream.of(events)
                .map(event -> new Judge.Committed(event, "7", 1))
                .toList();
    }
}
