package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Settlement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An operator requeues or discards parked and dead events. */
abstract class RequeueContract extends AdminContract {

    @Test
    void a_requeued_event_is_published_with_its_attempts_counted_from_zero() {
        append("a1", "a2");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        expect(relay.drain(Map.of("a1", deadPassing())), "a2");
        assertThat(admin().requeue(RELAY, ids("a1"), ANNA)).isEqualTo(1);
        assertThat(status().dead()).isZero();
        assertThat(parked("a1").state()).isEqualTo(ParkedState.DUE);

        expect(relay.drain(), "a1");
        assertThat(relay.seen("a1").attempts()).isZero();
        assertThat(status().parked()).isZero();
    }

    @Test
    void a_requeued_event_that_fails_again_is_parked_again() {
        append("a1");
        Courier relay = relay();
        relay.drain(Map.of("a1", deadPassing()));
        admin().requeue(RELAY, ids("a1"), ANNA);
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        append("a2");
        assertThat(relay.drain()).isEmpty();
        assertThat(parked("a1").attempts()).isEqualTo(1);
        pass(SHORT);

        expect(relay.drain(), "a1", "a2");
    }

    @Test
    void requeueing_an_event_that_waits_for_its_retry_sends_it_now() {
        append("a1", "a2");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(LONG)));
        assertThat(admin().requeue(RELAY, ids("a1"), ANNA)).isEqualTo(1);

        expect(relay.drain(), "a1", "a2");
        assertThat(relay.seen("a1").attempts()).isZero();
    }

    @Test
    void the_preview_tells_how_many_would_arrive_late() {
        append("a1", "a2", "b1", "c1");
        drain(Map.of("a1", deadPassing(), "b1", deadHolding(), "c1", retryIn(LONG)));

        assertThat(admin().previewRequeue(RELAY, ids("a1", "b1", "c1", "a2")))
                .returns(3, RequeuePreview::found)
                .returns(1, RequeuePreview::late)
                .returns(true, RequeuePreview::exact);
        assertThat(admin().previewRequeue(RELAY, ids("b1")))
                .returns(1, RequeuePreview::found)
                .returns(0, RequeuePreview::late)
                .returns(true, RequeuePreview::exact);
        assertThat(admin().previewRequeue(OTHER_RELAY, ids("a1"))).isEqualTo(RequeuePreview.NONE);
        assertThat(status().dead()).isEqualTo(2);
    }

    @Test
    void a_preview_names_the_events_that_would_be_changed_and_their_states() {
        append("a1", "a2", "b1", "c1");
        drain(Map.of("a1", retryIn(LONG), "b1", deadHolding(), "c1", deadPassing()));
        SelectedEvent due = new SelectedEvent(id("a1"), ParkedState.DUE);
        SelectedEvent waiting = new SelectedEvent(id("a2"), ParkedState.WAITING);
        SelectedEvent holding = new SelectedEvent(id("b1"), ParkedState.DEAD);
        SelectedEvent passing = new SelectedEvent(id("c1"), ParkedState.DEAD);
        Selection all = ids("c1", "b1", "a2", "a1");

        assertThat(admin().previewRequeue(RELAY, Selection.all(ParkedState.DEAD))
                        .events())
                .containsExactlyInAnyOrder(holding, passing);
        assertThat(admin().previewDiscard(RELAY, Selection.all(ParkedState.DEAD))
                        .events())
                .containsExactlyInAnyOrder(holding, passing);
        assertThat(admin().previewRequeue(RELAY, all).events()).containsExactlyInAnyOrder(due, holding, passing);
        assertThat(admin().previewDiscard(RELAY, all).events())
                .containsExactlyInAnyOrder(due, waiting, holding, passing);
    }

    @Test
    void the_audit_of_events_by_id_tells_the_selection_that_found_them() {
        append("a1", "b1");
        drain(Map.of("a1", deadPassing(), "b1", deadPassing()));
        Selection found = new Selection.Ids(
                List.of(id("a1"), id("b1")), Optional.of(ParkedState.DEAD), "all dead, error contains \"topic\"");

        assertThat(admin().discard(RELAY, found, ANNA)).isEqualTo(2);

        assertThat(admin().audit(10)).singleElement().satisfies(entry -> {
            assertThat(entry.details()).endsWith("; asked for: all dead, error contains \"topic\"");
            assertThat(ChangedEvents.of(entry.details()).orElseThrow().changed())
                    .containsExactlyInAnyOrder(id("a1"), id("b1"));
        });
    }

    @Test
    void what_is_not_parked_is_neither_requeued_nor_discarded() {
        append("a1", "b1");
        drain(Map.of("b1", deadPassing()));
        Selection absent = Selection.of(id("a1"), id("z9"), "not of the form of any id here");

        assertThat(admin().requeue(RELAY, absent, ANNA)).isZero();
        assertThat(admin().discard(RELAY, absent, ANNA)).isZero();
        assertThat(admin().previewRequeue(RELAY, absent)).isEqualTo(RequeuePreview.NONE);
        assertThat(admin().requeue(RELAY, ids(), ANNA)).isZero();
        assertThat(admin().discard(OTHER_RELAY, ids("b1"), ANNA)).isZero();
        assertThat(status().dead()).isEqualTo(1);
        assertThat(drain()).isEmpty();
    }

    @Test
    void an_event_that_left_the_state_it_was_seen_in_is_neither_requeued_nor_discarded() {
        append("a1", "b1", "c1");
        drain(Map.of("a1", deadPassing(), "b1", deadPassing(), "c1", retryIn(LONG)));
        List<String> all = List.of(id("a1"), id("b1"), id("c1"));
        Selection dead = Selection.of(all, ParkedState.DEAD);

        assertThat(admin().previewRequeue(RELAY, dead).found()).isEqualTo(2);
        assertThat(admin().previewDiscard(RELAY, dead).found()).isEqualTo(2);
        assertThat(admin().requeue(RELAY, Selection.of(List.of(id("a1")), ParkedState.DEAD), ANNA))
                .isEqualTo(1);
        assertThat(admin().requeue(RELAY, Selection.of(List.of(id("a1")), ParkedState.DEAD), ANNA))
                .isZero();
        assertThat(admin().discard(RELAY, dead, ANNA)).as("only b1 is dead now").isEqualTo(1);
        expect(drain(), "a1");
    }

    @Test
    void many_events_are_requeued_at_once() {
        append("a1", "b1", "c1", "d1");
        drain(Map.of("a1", deadPassing(), "b1", deadPassing(), "c1", deadPassing()));
        assertThat(admin().requeue(RELAY, ids("a1", "b1", "c1", "d1"), ANNA)).isEqualTo(3);

        expect(drain(), "a1", "b1", "c1");
    }

    @Test
    void what_is_in_flight_behind_a_retry_that_is_discarded_is_not_overtaken() {
        isNotOvertaken(retryIn(LONG));
    }

    @Test
    void what_is_in_flight_behind_a_dead_event_that_is_discarded_is_not_overtaken() {
        isNotOvertaken(deadHolding());
    }

    /** The relay knows of what it has claimed already that it goes behind; what is claimed later is for the store to hold back. */
    private void isNotOvertaken(Settlement failure) {
        append("a1", "a2");
        Courier relay = relay().limits(1, 1_000_000);
        Batch failing = relay.claim();
        Batch late = relay.claim();
        relay.settle(failing, failure);
        assertThat(admin().discard(RELAY, ids("a1"), ANNA)).isEqualTo(1);
        append("a3");
        List<Batch> ahead = relay.claimAhead();
        if (harness().ordered()) {
            assertThat(ahead).isEmpty();
            relay.settle(late, Settlement.BEHIND);
            expect(relay.drain(), "a2", "a3");
        }
    }

    @Test
    void what_is_in_flight_behind_a_retry_that_is_discarded_while_it_is_out_is_not_overtaken() {
        append("a1");
        Courier relay = relay().limits(1, 1_000_000);
        relay.drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        Batch retry = relay.claim();
        admin().discard(RELAY, ids("a1"), ANNA);
        append("a2");
        List<Batch> late = relay.claimAhead();
        relay.settle(retry, retryIn(LONG));
        append("a3");
        if (!late.isEmpty()) {
            List<Batch> ahead = relay.claimAhead();
            if (!harness().ordered()) {
                return;
            }
            assertThat(ahead).isEmpty();
            relay.settle(late.get(0), Settlement.BEHIND);
        }
        expect(relay.drain(), "a2", "a3");
    }

    @Test
    void a_discarded_event_never_comes_again() {
        append("a1", "b1");
        drain(Map.of("a1", deadPassing()));
        assertThat(admin().discard(RELAY, ids("a1"), ANNA)).isEqualTo(1);

        assertThat(status().dead()).isZero();
        assertThat(admin().requeue(RELAY, ids("a1"), ANNA)).isZero();
        pass(LONG);
        assertThat(drain()).isEmpty();
    }

    @Test
    void discarding_a_head_that_waits_for_its_retry_lets_its_followers_go() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(LONG)));
        assertThat(admin().discard(RELAY, ids("a1"), ANNA)).isEqualTo(1);

        expect(relay.drain(), "a2", "a3");
        append("a4");
        expect(relay.drain(), "a4");
    }

    @Test
    void none_of_a_key_is_sent_that_is_discarded_as_a_whole() {
        append("a1", "a2", "a3", "b1", "b2");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT), "b1", deadHolding()));
        assertThat(admin().discard(RELAY, ids("a1", "a2", "a3", "b1", "b2"), ANNA))
                .isEqualTo(5);
        pass(LONG);

        assertThat(relay.drain()).isEmpty();
        assertThat(status().parked()).isZero();
    }

    @Test
    void discarding_a_follower_takes_only_it_away() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        assertThat(admin().discard(RELAY, ids("a2"), ANNA)).isEqualTo(1);
        assertThat(relay.drain()).isEmpty();
        pass(SHORT);

        expect(relay.drain(), "a1", "a3");
    }

    @Test
    void an_event_that_is_discarded_while_its_retry_is_out_is_not_parked_again() {
        append("a1", "a2");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        Batch retry = relay.claim();
        admin().discard(RELAY, ids("a1"), ANNA);
        relay.settle(retry, retryIn(SHORT));
        pass(SHORT);

        expect(relay.drain(), "a2");
        assertThat(status().parked()).isZero();
    }

    @Test
    void events_are_requeued_by_a_filter() {
        append("a1", "b1", "c1", "d1");
        append(book.enter(
                "other",
                Event.of("tck.another.v1")
                        .aggregate("Thing", aggregateId("other"))
                        .payload(Payload.json("{}"))));
        drain(Map.of(
                "a1", deadPassing(), "b1", deadHolding(), "c1", retryIn(LONG), "other", dead("the topic is gone")));
        Selection.Matching dead = Selection.all(ParkedState.DEAD);

        assertThat(admin().previewRequeue(RELAY, dead))
                .returns(3, RequeuePreview::found)
                .returns(2, RequeuePreview::late)
                .returns(true, RequeuePreview::exact);
        Selection gone = new Selection.Matching(ParkedState.DEAD, EventFilter.ALL, Optional.of("topic is"));
        assertThat(admin().previewRequeue(RELAY, gone))
                .returns(1, RequeuePreview::found)
                .returns(1, RequeuePreview::late)
                .returns(true, RequeuePreview::exact);
        Selection typed =
                new Selection.Matching(ParkedState.DEAD, EventFilter.ALL.type("tck.happened.v1"), Optional.empty());
        assertThat(admin().requeue(RELAY, typed, ANNA)).isEqualTo(2);
        assertThat(parkedNames(ParkedQuery.of(RELAY).in(ParkedState.DEAD))).containsExactly("other");
        assertThat(admin().requeue(RELAY, Selection.all(ParkedState.DUE), ANNA)).isEqualTo(3);
        expect(drain(), "a1", "b1", "c1");
        assertThat(admin().requeue(OTHER_RELAY, dead, ANNA)).isZero();
    }

    @Test
    void events_are_discarded_by_a_filter_with_one_entry_in_the_audit() {
        append("a1", "a2", "b1", "c1");
        drain(Map.of("a1", retryIn(LONG), "b1", deadPassing(), "c1", dead("the topic is gone")));

        assertThat(admin().previewDiscard(RELAY, Selection.all(ParkedState.DEAD)))
                .returns(2, DiscardPreview::found)
                .returns(true, DiscardPreview::exact);
        assertThat(admin().previewDiscard(RELAY, Selection.all(ParkedState.WAITING)))
                .returns(1, DiscardPreview::found)
                .returns(true, DiscardPreview::exact);
        assertThat(admin().discard(RELAY, Selection.all(ParkedState.DEAD), ANNA))
                .isEqualTo(2);
        if (keeps(StoredField.FINISHED_EVENTS)) {
            assertThat(state("b1")).isEqualTo(EventHistory.State.DISCARDED);
        }
        assertThat(parkedNames(ParkedQuery.of(RELAY))).containsExactlyInAnyOrder("a1", "a2");
        assertThat(admin().audit(10)).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("discard");
            assertThat(entry.by()).isEqualTo(ANNA);
            assertThat(entry.relay()).isEqualTo(RELAY.value());
            assertThat(entry.details()).contains("2 events").contains("all dead");
        });
    }

    @Test
    void the_audit_names_changed_events_and_not_others_that_were_asked_for() {
        append("a1", "b1");
        drain(Map.of("a1", deadPassing()));

        assertThat(admin().requeue(RELAY, ids("a1", "b1"), ANNA)).isEqualTo(1);

        ChangedEvents events =
                ChangedEvents.of(admin().audit(1).get(0).details()).orElseThrow();
        assertThat(events.changed()).containsExactly(id("a1"));
        assertThat(events.all()).isTrue();
    }

    @Test
    void discarding_without_a_reason_is_refused() {
        append("a1");
        drain(Map.of("a1", deadPassing()));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin().discard(RELAY, ids("a1"), new Actor("ben", " ")))
                .withMessageContaining("reason");
        assertThat(state("a1")).isEqualTo(EventHistory.State.DEAD);
        assertThat(admin().audit(10)).isEmpty();
    }

    @Test
    void a_discarded_event_tells_that_it_was_and_stays_so() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1", "a2", "a3");
        drain(Map.of("a1", retryIn(LONG)));
        admin().discard(RELAY, ids("a1", "a2"), ANNA);
        expect(drain(), "a3");

        assertThat(state("a1")).isEqualTo(EventHistory.State.DISCARDED);
        assertThat(entry(RELAY, "a1").discarded()).isPresent();
        assertThat(entry(RELAY, "a1").parked()).isEmpty();
        assertThat(state("a2")).isEqualTo(EventHistory.State.DISCARDED);
        assertThat(state("a3")).isEqualTo(EventHistory.State.PUBLISHED);
        assertThat(entry(RELAY, "a3").discarded()).isEmpty();
    }

    private static Settlement.Dead dead(String error) {
        return new Settlement.Dead(error, true, false);
    }
}
