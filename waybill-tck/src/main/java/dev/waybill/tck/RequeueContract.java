package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.spi.Batch;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A person sends parked and dead events again, or gives them up. */
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
    void the_preview_tells_how_many_would_arrive_late() {
        append("a1", "a2", "b1", "c1");
        drain(Map.of("a1", deadPassing(), "b1", deadHolding(), "c1", retryIn(LONG)));

        assertThat(admin().previewRequeue(RELAY, ids("a1", "b1", "c1", "a2"))).isEqualTo(new RequeuePreview(3, 1));
        assertThat(admin().previewRequeue(RELAY, ids("b1"))).isEqualTo(new RequeuePreview(1, 0));
        assertThat(admin().previewRequeue(OTHER_RELAY, ids("a1"))).isEqualTo(new RequeuePreview(0, 0));
        assertThat(status().dead()).isEqualTo(2);
    }

    @Test
    void what_is_not_parked_is_neither_requeued_nor_discarded() {
        append("a1", "b1");
        drain(Map.of("b1", deadPassing()));
        List<String> absent = List.of(id("a1"), id("z9"), "not of the form of any id here");

        assertThat(admin().requeue(RELAY, absent, ANNA)).isZero();
        assertThat(admin().discard(RELAY, absent, ANNA)).isZero();
        assertThat(admin().previewRequeue(RELAY, absent)).isEqualTo(new RequeuePreview(0, 0));
        assertThat(admin().requeue(RELAY, List.of(), ANNA)).isZero();
        assertThat(admin().discard(OTHER_RELAY, ids("b1"), ANNA)).isZero();
        assertThat(status().dead()).isEqualTo(1);
        assertThat(drain()).isEmpty();
    }

    @Test
    void many_events_are_requeued_at_once() {
        append("a1", "b1", "c1", "d1");
        drain(Map.of("a1", deadPassing(), "b1", deadPassing(), "c1", deadPassing()));
        assertThat(admin().requeue(RELAY, ids("a1", "b1", "c1", "d1"), ANNA)).isEqualTo(3);

        expect(drain(), "a1", "b1", "c1");
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
}
