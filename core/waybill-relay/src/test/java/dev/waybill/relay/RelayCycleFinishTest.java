package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A stopping relay loses nothing and repeats as few events as possible. */
class RelayCycleFinishTest {
    private final AnsweredByHand byHand = new AnsweredByHand();
    private final CycleScene scene = new CycleScene(byHand).batchesOf(1);

    @Test
    void it_waits_for_messages_in_flight_and_settles_them() {
        scene.append("a1", "b1");
        scene.run();
        assertThat(scene.cycle().finish()).isFalse();
        byHand.sent(1).deliver();
        assertThat(scene.cycle().finish()).isFalse();
        byHand.sent(0).deliver();
        assertThat(scene.cycle().finish()).isTrue();

        assertThat(scene.settledNames()).containsExactly("a1", "b1");
        assertThat(scene.status().backlog()).isZero();
    }

    @Test
    void a_stopping_relay_claims_and_sends_nothing() {
        scene.append("a1");
        scene.run();
        scene.append("a2");
        byHand.sent(0).deliver();
        assertThat(scene.cycle().finish()).isTrue();

        assertThat(byHand.sentNames()).containsExactly("a1");
        scene.close();
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "a2");
    }

    @Test
    void with_nothing_in_flight_it_is_done_at_once() {
        assertThat(scene.cycle().finish()).isTrue();
    }

    @Test
    void failed_events_are_parked_as_usual() {
        scene.append("a1", "a2");
        scene.run();
        byHand.sent(0).answer(new Delivery.Retry("not now"));
        byHand.sent(1).answer(new Delivery.Retry("behind"));
        assertThat(scene.cycle().finish()).isTrue();

        assertThat(scene.parked("a1").attempts()).isEqualTo(1);
        assertThat(scene.lastSettlementOf("a2")).isEqualTo(Settlement.BEHIND);
    }

    @Test
    void aborted_events_are_sent_again_uncounted() {
        scene.append("a1", "a2", "a3");
        scene.run();
        byHand.sent(0).deliver();
        byHand.sent(1).answer(new Delivery.Unavailable("aborted"));
        byHand.sent(2).answer(new Delivery.Unavailable("aborted"));
        assertThat(scene.cycle().finish()).isTrue();
        scene.close();
        byHand.sent().clear();
        scene.run();

        assertThat(byHand.sentNames()).containsExactly("a2", "a3");
        assertThat(scene.parked()).isEmpty();
    }

    @Test
    void claimed_but_unsent_events_are_released_and_sent_again_in_order() {
        AnsweredByHand destination = new AnsweredByHand(KeyOrder.ONE_AT_A_TIME);
        CycleScene oneByOne = new CycleScene(destination).batchesOf(3);
        oneByOne.append("a1", "a2", "b1", "a3", "c1");
        oneByOne.run();
        assertThat(destination.sentNames()).containsExactly("a1", "b1", "c1");
        destination.sent().forEach(AnsweredByHand.Sent::deliver);
        assertThat(oneByOne.cycle().finish()).isTrue();
        oneByOne.close();
        destination.sent().clear();
        destination.deliverAll(oneByOne);

        assertThat(destination.sentNames())
                .startsWith("a2", "b1")
                .doesNotContain("a1")
                .contains("a3", "c1");
        assertThat(oneByOne.status().backlog()).isZero();
    }

    @Test
    void the_lease_is_free_afterwards() {
        scene.append("a1");
        scene.run();
        byHand.sent(0).deliver();
        scene.cycle().finish();
        assertThat(scene.status().lease()).isPresent();
        scene.close();

        assertThat(scene.status().lease()).isEmpty();
        scene.pass(Duration.ofMinutes(2));
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1");
    }
}
