package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.spi.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order in which a key arrives of which an operator requeues events. */
abstract class RequeueOrderContract extends RequeueContract {

    @Test
    void requeueing_a_follower_does_not_let_it_overtake() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        admin().requeue(RELAY, ids("a2"), ANNA);
        assertThat(relay.drain()).isEmpty();
        pass(SHORT);

        expect(relay.drain(), "a1", "a2", "a3");
    }

    @Test
    void many_dead_of_one_key_come_in_order_though_the_first_fails_once_and_others_do_not_wait() {
        String[] dead = IntStream.rangeClosed(1, 30).mapToObj(i -> "a" + i).toArray(String[]::new);
        append(dead);
        append("b1", "c1", "b2");
        Courier relay = relay().limits(4, 1_000_000);
        Map<String, Settlement> all = new HashMap<>(Map.of("b1", deadPassing(), "b2", deadPassing()));
        Stream.of(dead).forEach(name -> all.put(name, deadPassing()));
        expect(relay.drain(all), "c1");
        assertThat(admin().requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA))
                .isEqualTo(32);
        List<String> meanwhile = relay.drain(Map.of("a1", retryIn(SHORT)));
        append("a31");

        if (harness().ordered()) {
            expect(meanwhile, "b1", "b2");
        }
        assertThat(meanwhile).contains("b1", "b2").doesNotContain("a1");
        pass(SHORT);
        List<String> came = new ArrayList<>(meanwhile);
        came.addAll(relay.drain());
        expect(
                came,
                IntStream.rangeClosed(1, 33)
                        .mapToObj(i -> i == 32 ? "b1" : i == 33 ? "b2" : "a" + i)
                        .toArray(String[]::new));
        assertThat(status().parked()).isZero();
    }

    @Test
    void a_requeue_of_an_event_whose_turn_comes_after_others_of_its_key_changes_nothing() {
        append("a1", "a2", "a3", "a4");
        Courier relay = relayAfterTheRetryOf("a1");
        assertThat(admin().previewRequeue(RELAY, ids("a3"))).isEqualTo(RequeuePreview.NONE);
        assertThat(admin().requeue(RELAY, ids("a3"), ANNA)).isZero();
        assertThat(ChangedEvents.of(admin().audit(1).get(0).details())
                        .orElseThrow()
                        .changed())
                .isEmpty();

        expect(relay.drain(), "a2", "a3", "a4");
    }

    @Test
    void a_requeue_by_a_filter_of_an_event_whose_turn_comes_after_others_of_its_key_changes_nothing() {
        append("a1", "a2");
        append(book.enter(
                "a3",
                Event.of("tck.another.v1").aggregate("Thing", aggregateId("a")).payload(Payload.json("{}"))));
        append("a4");
        Courier relay = relayAfterTheRetryOf("a1");
        EventFilter others = EventFilter.ALL.type("tck.another.v1");
        assertThat(admin().requeue(RELAY, new Selection.Matching(ParkedState.DUE, others, Optional.empty()), ANNA))
                .isZero();

        expect(relay.drain(), "a2", "a3", "a4");
    }

    /** The relay then has room for all that are due. */
    private Courier relayAfterTheRetryOf(String first) {
        Courier relay = relay();
        relay.drain(Map.of(first, retryIn(SHORT)));
        pass(SHORT);
        relay.limits(1, 1_000_000).publish(relay.claim());
        return relay.limits(1_000, 1_000_000);
    }

    @Test
    void events_that_are_requeued_twice_keep_their_order() {
        append("a1", "a2", "a3", "a4");
        Courier relay = relay();
        relay.drain(Map.of("a1", deadPassing(), "a2", deadPassing(), "a3", deadPassing(), "a4", deadPassing()));
        assertThat(admin().requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA))
                .isEqualTo(4);
        admin().requeue(RELAY, ids("a2"), ANNA);

        expect(relay.drain(), "a1", "a2", "a3", "a4");
    }

    @Test
    void requeued_events_come_before_a_later_one_of_their_key_that_waits_for_its_retry() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        relay.drain(Map.of("a1", deadPassing(), "a2", deadPassing(), "a3", retryIn(SHORT)));
        admin().requeue(RELAY, ids("a1", "a2"), ANNA);
        List<String> came = new ArrayList<>(relay.drain());
        pass(SHORT);
        came.addAll(relay.drain());

        expect(came, "a1", "a2", "a3");
    }

    @Test
    void requeued_events_do_not_wait_for_a_later_dead_one_that_holds_their_key() {
        append("a1", "a2", "a3", "a4");
        Courier relay = relay();
        relay.drain(Map.of("a1", deadPassing(), "a2", deadPassing(), "a3", deadHolding()));
        admin().requeue(RELAY, ids("a1", "a2"), ANNA);

        expect(relay.drain(), "a1", "a2");
    }

    @Test
    void a_requeue_sends_what_waits_for_its_retry_and_what_waits_behind_it() {
        append("a1", "a2", "a3", "a4");
        Courier relay = relayAfterTheRetryOf("a1");
        expect(relay.drain(Map.of("a3", retryIn(LONG))), "a2");
        assertThat(relay.drain()).isEmpty();
        assertThat(admin().requeue(RELAY, ids("a3", "a4"), ANNA)).isEqualTo(1);

        expect(relay.drain(), "a3", "a4");
    }

    @Test
    void an_event_with_a_retry_behind_a_dead_one_that_holds_its_key_waits_and_is_not_requeued() {
        append("a1", "a2");
        Courier relay = relay();
        relay.drain(Map.of("a1", deadPassing(), "a2", retryIn(SHORT)));
        assertThat(parked("a2").state()).isEqualTo(ParkedState.DUE);
        admin().requeue(RELAY, ids("a1"), ANNA);
        relay.settle(relay.claim(), deadHolding());
        assertWaitsBehind("a1", ParkedState.DEAD);
        pass(SHORT);

        assertThat(relay.drain()).isEmpty();
        assertWaitsBehind("a1", ParkedState.DEAD);
        admin().discard(RELAY, ids("a1"), ANNA);
        expect(relay.drain(), "a2");
    }

    @Test
    void an_event_that_is_requeued_behind_a_dead_one_that_holds_its_key_waits() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        relay.drain(Map.of("a1", deadPassing(), "a2", deadPassing(), "a3", deadPassing()));
        admin().requeue(RELAY, ids("a1"), ANNA);
        relay.settle(relay.claim(), deadHolding());
        assertThat(admin().requeue(RELAY, ids("a2", "a3"), ANNA)).isEqualTo(2);

        assertThat(parked("a2").state()).isEqualTo(ParkedState.WAITING);
        assertThat(parked("a3").state()).isEqualTo(ParkedState.WAITING);
        assertThat(relay.drain()).isEmpty();
        admin().discard(RELAY, ids("a1"), ANNA);
        expect(relay.drain(), "a2", "a3");
    }

    @Test
    void an_event_that_is_requeued_later_does_not_come_before_those_that_were_requeued_first() {
        append("a1", "a2", "a3");
        Courier relay = relay().limits(1, 1_000_000);
        relay.drain(Map.of("a1", deadPassing(), "a2", deadPassing(), "a3", deadPassing()));
        admin().requeue(RELAY, ids("a1", "a2"), ANNA);
        relay.publish(relay.claim());
        admin().requeue(RELAY, ids("a3"), ANNA);

        expect(relay.drain(), "a2", "a3");
    }

    /** The event a2 waits behind this one. */
    private void assertWaitsBehind(String first, ParkedState state) {
        assertThat(parked(first).state()).isEqualTo(state);
        assertThat(parked("a2").state()).isEqualTo(ParkedState.WAITING);
        assertThat(entry(RELAY, "a2").parked().orElseThrow().state()).isEqualTo(ParkedState.WAITING);
        assertThat(parkedNames(only(ParkedState.WAITING))).containsExactly("a2");
        assertThat(parkedNames(only(ParkedState.DUE))).doesNotContain("a2");
        assertThat(admin().previewRequeue(RELAY, ids("a2"))).isEqualTo(RequeuePreview.NONE);
        assertThat(admin().requeue(RELAY, ids("a2"), ANNA)).isZero();
        assertThat(status().parked()).isEqualTo(state == ParkedState.DUE ? 2 : 1);
    }

    private static ParkedQuery only(ParkedState state) {
        return new ParkedQuery(RELAY, Optional.of(state), Optional.empty(), 10);
    }
}
