package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.memory.InMemoryDestination;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** After its last attempt an event is dead; later ones continue in order and count no attempt. */
class RelayCycleLastAttemptTest {
    private static final Delivery RETRY = new Delivery.Retry("not now");
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final InMemoryDestination broker = new InMemoryDestination();
    private final AnsweredByHand byHand = new AnsweredByHand();

    @Test
    void after_the_last_attempt_an_event_is_dead_and_later_ones_are_sent_in_order() {
        CycleScene scene = new CycleScene(broker).options(options -> options.retry(retries(2)));
        broker.failKey("Thing:a", 3, RETRY);
        scene.append("a1", "a2", "a3");
        for (int attempt = 1; attempt <= 2; attempt++) {
            scene.run();
            assertThat(scene.parked("a1").attempts()).isEqualTo(attempt);
            assertThat(scene.dead()).isEmpty();
            scene.pass(WAIT);
        }
        scene.run();
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.parked("a1").attempts()).isEqualTo(3);
        assertThat(scene.parked("a1").error()).contains("not now");

        // The destination may not know yet that the relay has seen the failure, and answer the first follower Behind
        // once.
        scene.run();
        assertThat(delivered()).containsExactly("a2", "a3");
        assertThat(scene.dead()).containsExactly("a1");
    }

    @Test
    void after_the_last_attempt_an_event_may_hold_its_key() {
        CycleScene scene = new CycleScene(broker).onDead(OnDead.HOLD).options(options -> options.retry(retries(1)));
        broker.failKey("Thing:a", 2, RETRY);
        scene.append("a1", "a2");
        scene.run();
        scene.pass(WAIT);
        scene.append("a3");
        scene.run();
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.parked("a1").holdsKey()).isTrue();
        assertThat(delivered()).isEmpty();

        scene.requeue("a1");
        scene.run();
        assertThat(delivered()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void an_unsent_event_behind_a_dead_one_counts_no_attempt() {
        CycleScene scene = noRetries(byHand);
        scene.append("a1");
        scene.run();
        byHand.sent(0).answer(RETRY);
        scene.run();
        assertThat(scene.dead()).containsExactly("a1");

        scene.append("a2");
        scene.run();
        byHand.sent(1).answer(Delivery.BEHIND);
        scene.turn();
        assertThat(scene.parked("a2").attempts()).isZero();
        scene.run();
        byHand.sent(2).answer(Delivery.DELIVERED);
        scene.run();
        assertThat(scene.lastSettlementOf("a2")).isEqualTo(Settlement.PUBLISHED);
    }

    /** Events after a failed one of their key may be answered Retry too; that counts no attempt. */
    @Test
    void without_retries_only_the_failed_event_is_dead() {
        AnsweredByHand destination = new AnsweredByHand();
        CycleScene scene = noRetries(destination).batchesOf(2);
        scene.append("a1", "a2", "a3");
        scene.run();
        destination.sent(0).answer(RETRY, RETRY);
        scene.turn();
        destination.sent(1).answer(RETRY);
        scene.run();
        assertThat(scene.dead()).containsExactly("a1");

        destination.deliverAll(scene);
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.parked()).hasSize(1);
        assertThat(destination.sentNames()).containsExactly("a1", "a2", "a3", "a2", "a3");
    }

    @Test
    void events_behind_a_dead_one_continue_while_others_are_in_flight() {
        CycleScene scene = noRetries(byHand).batchesOf(1);
        scene.append("a1", "a2", "x1");
        scene.run();
        byHand.sent(0).answer(RETRY);
        byHand.sent(1).answer(RETRY);
        scene.run();

        assertThat(byHand.sentNames()).containsExactly("a1", "a2", "x1", "a2");
    }

    @Test
    void events_behind_a_dead_one_are_not_overtaken_before_it_is_settled() {
        CycleScene scene = noRetries(byHand).batchesOf(1);
        scene.append("a1", "x1", "a2");
        scene.run();
        byHand.sent(0).answer(RETRY);
        byHand.sent(2).answer(RETRY);
        scene.run();
        assertThat(scene.dead()).containsExactly("a1");
        scene.append("a3");
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "x1", "a2");

        byHand.deliverAll(scene);
        assertThat(byHand.sentNames()).containsExactly("a1", "x1", "a2", "a2", "a3");
    }

    @Test
    void once_a_dead_event_is_settled_its_key_is_open_although_others_are_in_flight() {
        CycleScene scene = noRetries(byHand).batchesOf(1);
        scene.append("a1", "x1");
        scene.run();
        byHand.sent(0).answer(RETRY);
        scene.run();
        assertThat(scene.dead()).containsExactly("a1");
        scene.append("a2");
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "x1", "a2");

        byHand.deliverAll(scene);
        assertThat(scene.settledNames()).containsExactly("a1", "x1", "a2");
    }

    @Test
    void once_nothing_is_in_flight_the_next_event_of_its_key_is_sent_at_once() {
        CycleScene scene = noRetries(byHand);
        scene.append("a1");
        scene.run();
        byHand.sent(0).answer(RETRY);
        scene.run();
        scene.append("a2");
        byHand.deliverAll(scene);

        assertThat(scene.settled()).last().isEqualTo(new CycleScene.Settled("a2", Settlement.PUBLISHED));
        assertThat(scene.settledNames()).containsExactly("a1", "a2");
    }

    private static CycleScene noRetries(AnsweredByHand destination) {
        return new CycleScene(destination).options(options -> options.retry(retries(0)));
    }

    private static RetryPolicy retries(int retries) {
        return new RetryPolicy(retries, WAIT, 1, WAIT);
    }

    private List<String> delivered() {
        return CycleScene.names(broker.delivered());
    }
}
