package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A destination answers differently for each event of a batch, and is partly unavailable. */
class RelayCycleMixedTest {
    private static final Delivery RETRY = new Delivery.Retry("not now");
    private static final Delivery REFUSED = new Delivery.Refused("never");
    private static final Delivery AWAY = new Delivery.Unavailable("no route to host");

    private final AnsweredByHand byHand = new AnsweredByHand();

    @Test
    void all_events_after_the_first_released_one_are_released() {
        CycleScene scene = new CycleScene(byHand);
        scene.append("a1", "b1", "c1", "d1", "e1");
        scene.run();
        byHand.sent(0).answer(Delivery.DELIVERED, AWAY, Delivery.DELIVERED, REFUSED, RETRY);
        scene.run();

        assertThat(scene.settled())
                .extracting(CycleScene.Settled::as)
                .containsExactly(
                        Settlement.PUBLISHED,
                        Settlement.RELEASED,
                        Settlement.RELEASED,
                        Settlement.RELEASED,
                        Settlement.RELEASED);
    }

    @Test
    void if_the_first_event_is_released_nothing_of_the_batch_is_settled() {
        CycleScene scene = new CycleScene(byHand);
        scene.append("a1", "b1", "c1");
        scene.run();
        byHand.sent(0).answer(AWAY, Delivery.DELIVERED, REFUSED);
        scene.run();

        assertThat(scene.settled()).extracting(CycleScene.Settled::as).containsOnly(Settlement.RELEASED);
        assertThat(scene.dead()).isEmpty();
        assertThat(scene.status().backlog()).isEqualTo(3);
    }

    @Test
    void due_retries_behind_a_released_one_are_sent_again_too_and_count_nothing() {
        CycleScene scene = new CycleScene(byHand);
        scene.append("a1", "b1");
        scene.run();
        byHand.sent(0).answer(RETRY, RETRY);
        scene.run();
        scene.pass(java.time.Duration.ofMinutes(1));
        scene.run();
        byHand.sent(1).answer(AWAY, RETRY);
        scene.run();
        assertThat(scene.parked("b1").attempts()).isEqualTo(1);

        byHand.sent().clear();
        byHand.deliverAll(scene);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1");
        assertThat(scene.parked()).isEmpty();
    }

    @Test
    void a_key_that_failed_behind_a_released_one_is_open_when_it_is_sent_again() {
        CycleScene scene = new CycleScene(byHand).batchesOf(4);
        scene.append("a1", "b1", "b2", "b3");
        scene.run();
        byHand.sent(0).answer(AWAY, RETRY, Delivery.BEHIND, Delivery.BEHIND);
        scene.run();
        byHand.sent().clear();
        byHand.deliverAll(scene);

        assertThat(byHand.sentNames()).isEqualTo(List.of("a1", "b1", "b2", "b3"));
        assertThat(scene.status().backlog()).isZero();
        assertThat(scene.parked()).isEmpty();
    }
}
