package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Settlement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An event that was given up waits for an operator; its followers pass it or wait with it. */
abstract class DeadContract extends ParkingContract {

    @Test
    void a_dead_event_that_does_not_hold_its_key_lets_followers_pass() {
        append("a1", "a2", "b1");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", deadPassing())), "a2", "b1");
        append("a3");

        expect(relay.drain(), "a3");
        pass(LONG);
        assertThat(relay.drain()).isEmpty();
    }

    @Test
    void a_dead_event_that_holds_its_key_holds_followers_and_those_that_come_later() {
        append("a1", "a2", "b1");
        expect(drain(Map.of("a1", deadHolding())), "b1");
        append("a3", "b2");
        expect(drain(), "b2");
        pass(LONG);

        assertThat(drain()).isEmpty();
    }

    @Test
    void discarding_a_dead_event_that_holds_its_key_lets_followers_go_in_order() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", deadHolding())));
        append("a4");
        assertThat(relay.drain()).isEmpty();
        assertThat(admin().discard(RELAY, ids("a1"), ANNA)).isEqualTo(1);

        expect(relay.drain(), "a2", "a3", "a4");
        assertThat(status().dead()).isZero();
        assertThat(status().parked()).isZero();
    }

    @Test
    void requeueing_a_dead_event_that_holds_its_key_sends_it_before_its_followers() {
        append("a1", "a2");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", deadHolding())));
        append("a3");
        assertThat(relay.drain()).isEmpty();
        assertThat(admin().requeue(RELAY, ids("a1"), ANNA)).isEqualTo(1);

        expect(relay.drain(), "a1", "a2", "a3");
        assertThat(relay.seen("a1").attempts()).isZero();
    }

    @Test
    void an_event_that_dies_at_its_last_retry_lets_its_followers_pass() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        pass(SHORT);

        expect(relay.drain(Map.of("a1", deadPassing())), "a2", "a3");
        assertThat(parked("a1").attempts()).isEqualTo(2);
    }

    @Test
    void an_event_that_dies_at_its_last_retry_may_hold_its_followers() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        pass(SHORT);
        expect(relay.drain(Map.of("a1", deadHolding())));
        pass(LONG);

        assertThat(relay.drain()).isEmpty();
        assertThat(parked("a1").state()).isEqualTo(ParkedState.DEAD);
        assertThat(parked("a2").state()).isEqualTo(ParkedState.WAITING);
    }

    @Test
    void a_counted_retry_after_the_last_attempt_is_refused_and_leaves_the_event_in_flight() {
        append("a1", "a2");
        Courier relay = relay().limits(1, 1_000_000);
        Batch batch = relay.claim();
        int most = batch.events().get(0).maxAttempts();
        assumeTrue(most < Integer.MAX_VALUE, "this store has no maximum of attempts");
        for (int attempt = 1; attempt < most; attempt++) {
            relay.settle(batch, retryIn(SHORT));
            pass(SHORT);
            batch = relay.claim();
        }
        Batch last = batch;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> relay.session().settle(last, List.of(retryIn(SHORT))))
                .withMessageContaining(id("a1"))
                .withMessageContaining("attempt " + most + " of " + most);
        assertThat(relay.drain()).isEmpty();
        relay.settle(last, deadHolding());
        assertThat(relay.drain()).isEmpty();
        assertThat(parked("a1").attempts()).isEqualTo(most);
    }

    @Test
    void a_follower_that_dies_lets_the_others_pass() {
        append("a1", "a2", "a3");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        pass(SHORT);

        expect(relay.drain(Map.of("a2", deadPassing())), "a1", "a3");
    }

    @Test
    void admin_shows_the_dead_with_their_errors_and_how_often_they_were_sent() {
        append("a1", "b1");
        drain(Map.of("a1", deadPassing(), "b1", new Settlement.Dead("no topic for it", false, true)));

        ParkedEvent sent = parked("a1");
        assertThat(sent.state()).isEqualTo(ParkedState.DEAD);
        assertThat(sent.attempts()).isEqualTo(1);
        assertThat(sent.error()).contains("refused for good");
        assertThat(sent.holdsKey()).isFalse();
        assertThat(sent.nextAttemptAt()).isEmpty();
        ParkedEvent neverSent = parked("b1");
        assertThat(neverSent.attempts()).isZero();
        assertThat(neverSent.error()).contains("no topic for it");
        assertThat(neverSent.holdsKey()).isTrue();
        assertThat(status().dead()).isEqualTo(2);
        assertThat(status().parked()).isZero();
    }

    @Test
    void being_dead_survives_a_new_session() {
        append("a1", "a2", "b1", "b2");
        expect(drain(Map.of("a1", deadPassing(), "b1", deadHolding())), "a2");
        assertThat(drain()).isEmpty();

        assertThat(List.of(parked("a1").state(), parked("b1").state()))
                .containsExactly(ParkedState.DEAD, ParkedState.DEAD);
    }
}
