package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import org.junit.jupiter.api.Test;

/** Which events are counted as repeats: the destination has them or may have them, and they are sent again. */
class RelayCycleRepeatsTest {
    private static final Delivery AWAY = new Delivery.Unavailable("no route to host");

    private final AnsweredByHand byHand = new AnsweredByHand();
    private final CycleScene scene = new CycleScene(byHand).batchesOf(2);

    @Test
    void events_that_are_published_or_refused_are_no_repeats() {
        scene.append("a1", "b1");
        scene.run();
        byHand.sent(0).answer(Delivery.DELIVERED, new Delivery.Refused("no such topic"));
        scene.run();

        assertThat(scene.repeats()).isZero();
    }

    @Test
    void an_event_that_failed_or_met_an_outage_has_not_arrived_and_is_no_repeat() {
        scene.append("a1", "b1");
        scene.run();
        byHand.sent(0).answer(new Delivery.Retry("not now"), AWAY);
        scene.run();

        assertThat(scene.repeats()).isZero();
    }

    @Test
    void acknowledged_events_behind_an_undelivered_one_are_repeats() {
        scene.append("a1", "b1", "c1", "d1");
        scene.run();
        byHand.sent(0).answer(AWAY, Delivery.DELIVERED);
        byHand.sent(1).deliver();
        scene.run();

        assertThat(scene.repeats()).isEqualTo(3);
    }

    @Test
    void an_event_in_doubt_is_a_repeat() {
        scene.append("a1", "b1");
        scene.run();
        byHand.sent(0).answer(new Delivery.InDoubt("its partition is away"), Delivery.DELIVERED);
        scene.run();

        assertThat(scene.repeats()).isEqualTo(1);
    }

    @Test
    void events_without_an_answer_at_the_end_of_a_session_are_repeats() {
        scene.append("a1", "b1");
        scene.run();
        scene.cycle().abandon();

        assertThat(scene.repeats()).isEqualTo(2);
    }
}
