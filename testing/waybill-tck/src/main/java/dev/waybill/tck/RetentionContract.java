package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.PurgeStep;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Retention deletes only events that are old and done. */
abstract class RetentionContract extends ListingContract {
    private static final int MOST_STEPS = 1_000;

    @Test
    void what_every_relay_has_published_is_deleted() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1", "b1");
        drain();
        assertThat(purge(100)).isEqualTo(2);

        assertThat(kept("a1", "b1")).isEmpty();
        append("a2");
        expect(drain(), "a2");
    }

    @Test
    void what_is_not_published_stays() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1");
        drain();
        append("b1");
        assertThat(purge(100)).isEqualTo(1);

        assertThat(kept("a1", "b1")).containsExactly("b1");
        expect(drain(), "b1");
    }

    @Test
    void what_was_claimed_and_not_settled_stays() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1");
        Courier relay = relay();
        assertThat(relay.claim().events()).hasSize(1);
        assertThat(purge(100)).isZero();
        relay.close();

        expect(drain(), "a1");
    }

    @Test
    void a_transaction_that_is_still_open_loses_nothing() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        StoreHarness.Tx late = begin();
        late.append(events("a1"));
        append("b1");
        drain();
        assertThat(purge(100)).isLessThanOrEqualTo(1);
        late.commit();
        assertThat(purge(100)).isLessThanOrEqualTo(1);

        assertThat(kept("a1")).containsExactly("a1");
        expect(drain(), "a1");
    }

    @Test
    void nothing_is_deleted_while_no_relay_has_read_the_store() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1");
        assertThat(purge(100)).isZero();

        expect(drain(), "a1");
    }

    @Test
    void parked_and_dead_events_stay() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1", "a2", "b1", "c1");
        drain(Map.of("a1", retryIn(SHORT), "b1", deadPassing()));
        assertThat(purge(100)).isEqualTo(1);

        assertThat(kept("a1", "a2", "b1", "c1")).containsExactly("a1", "a2", "b1");
        pass(SHORT);
        admin().requeue(RELAY, ids("b1"), ANNA);
        expect(drain(), "a1", "a2", "b1");
        assertThat(purge(100)).isEqualTo(3);
    }

    @Test
    void discarded_events_are_deleted() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1");
        drain(Map.of("a1", deadPassing()));
        admin().discard(RELAY, ids("a1"), ANNA);

        assertThat(purge(100)).isEqualTo(1);
    }

    @Test
    void young_events_stay() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1");
        drain();

        assertThat(admin().purge(Duration.ofDays(1), 100)).isEqualTo(new PurgeStep(0, false));
        assertThat(kept("a1")).containsExactly("a1");
    }

    @Test
    void a_step_deletes_no_more_than_it_may_and_tells_whether_there_is_more() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1", "b1", "c1", "d1", "e1");
        drain();
        pass(Duration.ofSeconds(1));
        awaitLaterTime();
        PurgeStep first = admin().purge(Duration.ZERO, 2);
        assertThat(first.deleted()).isBetween(1, 2);
        assertThat(first.more()).isTrue();

        assertThat(first.deleted() + purge(2)).isEqualTo(5);
        assertThat(admin().purge(Duration.ZERO, 2)).isEqualTo(new PurgeStep(0, false));
    }

    @Test
    void dead_events_at_the_front_do_not_keep_those_behind_them() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1", "b1", "c1", "d1", "e1");
        drain(Map.of("a1", deadPassing(), "b1", deadPassing(), "c1", deadPassing()));

        assertThat(purge(2)).isEqualTo(2);
        assertThat(kept("a1", "b1", "c1", "d1", "e1")).containsExactly("a1", "b1", "c1");
    }

    @Test
    void an_event_waits_for_every_relay() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        assumeSeveralRelays();
        append("a1");
        relay(OTHER_RELAY).close();
        drain();
        assertThat(purge(100)).isZero();
        try (Courier other = relay(OTHER_RELAY)) {
            expect(other.drain(Map.of("a1", deadPassing())));
        }
        assertThat(purge(100)).isZero();
        admin().drop(OTHER_RELAY, ANNA);

        assertThat(purge(100)).isEqualTo(1);
    }

    @Test
    void what_a_person_purges_is_audited_with_its_count_and_what_retention_purges_is_not() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1", "b1", "c1");
        drain(Map.of("c1", deadPassing()));
        pass(Duration.ofSeconds(1));
        awaitLaterTime();

        assertThat(admin().purge(Duration.ofDays(1), ANNA)).isZero();
        assertThat(admin().purge(Duration.ZERO, ANNA)).isEqualTo(2);
        assertThat(kept("a1", "b1", "c1")).containsExactly("c1");
        assertThat(admin().audit(10)).extracting(AuditEntry::action).containsExactly("purge", "purge");
        assertThat(admin().audit(1).get(0).details()).contains("2 events");
        purge(100);
        assertThat(admin().audit(10)).hasSize(2);
    }

    /** A store with times of its server does not know whether an event of the present millisecond is older than that. */
    private static void awaitLaterTime() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < Duration.ofMillis(20).toNanos()) {
            Thread.onSpinWait();
        }
    }

    /** Purges in steps until nothing is left to delete. */
    private int purge(int atMost) {
        pass(Duration.ofSeconds(1));
        awaitLaterTime();
        int deleted = 0;
        for (int step = 0; step < MOST_STEPS; step++) {
            PurgeStep done = admin().purge(Duration.ZERO, atMost);
            assertThat(done.deleted()).isBetween(0, atMost);
            deleted += done.deleted();
            if (!done.more()) {
                return deleted;
            }
        }
        throw new AssertionError("After " + MOST_STEPS + " steps of retention there is still more.");
    }

    private Stream<String> kept(String... names) {
        return Stream.of(names).filter(name -> admin().show(id(name)).isPresent());
    }
}
