package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.memory.InMemoryDestination;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A failed event is sent again, and no event of its key overtakes it. */
class RelayCycleRetryTest {
    private static final Delivery RETRY = new Delivery.Retry("not now");
    private static final RetryPolicy POLICY = new RetryPolicy(5, Duration.ofSeconds(1), 3, Duration.ofSeconds(5));

    private final AnsweredByHand byHand = new AnsweredByHand();

    @Test
    void a_failed_event_waits_as_long_as_the_policy_says_and_its_attempts_are_counted() {
        InMemoryDestination broker = new InMemoryDestination();
        CycleScene scene = scene(broker);
        broker.failKey("Thing:a", 4, RETRY);
        scene.append("a1");
        int attempt = 0;
        for (int seconds : List.of(1, 3, 5, 5)) {
            assertThat(scene.run()).isEqualTo(CycleResult.IDLE);
            ParkedEvent parked = scene.parked("a1");
            assertThat(parked.state()).isEqualTo(ParkedState.DUE);
            assertThat(parked.attempts()).isEqualTo(++attempt);
            assertThat(parked.error()).contains("not now");
            Duration wait = Duration.ofSeconds(seconds);
            assertThat(parked.nextAttemptAt()).contains(scene.clock().instant().plus(wait));

            scene.pass(wait.minusMillis(1));
            assertThat(scene.turn()).as("before its time").isEqualTo(CycleResult.IDLE);
            scene.pass(Duration.ofMillis(1));
        }
        scene.run();
        assertThat(CycleScene.names(broker.delivered())).containsExactly("a1");
        assertThat(scene.parked()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void the_order_of_a_key_is_kept_over_retries_and_other_keys_continue(KeyOrder order) {
        InMemoryDestination broker = new InMemoryDestination(order);
        CycleScene scene = scene(broker).batchesOf(3);
        broker.failKey("Thing:a", 2, RETRY);
        scene.append("a1", "b1", "a2", "c1", "a3", "b2", "a4");
        scene.run();
        assertThat(CycleScene.names(broker.delivered())).containsExactlyInAnyOrder("b1", "c1", "b2");

        for (int i = 0; i < 5; i++) {
            scene.append("a" + (5 + i));
            scene.pass(Duration.ofSeconds(5));
            scene.run();
        }
        assertThat(CycleScene.names(broker.delivered()).stream().filter(name -> name.startsWith("a")))
                .containsExactly("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9");
        assertThat(scene.parked()).isEmpty();
    }

    @Test
    void followers_in_flight_in_later_batches_are_parked_behind_and_count_no_attempt() {
        AnsweredByHand destination = new AnsweredByHand();
        CycleScene scene = scene(destination).batchesOf(2);
        scene.append("a1", "a2", "a3", "b1", "a4", "c1");
        scene.run();
        destination.sent(0).answer(RETRY, RETRY);
        destination.sent(1).answer(RETRY, Delivery.DELIVERED);
        destination.sent(2).answer(RETRY, Delivery.DELIVERED);
        scene.run();

        assertThat(scene.lastSettlementOf("a1")).isInstanceOf(Settlement.RetryAt.class);
        for (String follower : List.of("a2", "a3", "a4")) {
            assertThat(scene.lastSettlementOf(follower)).as(follower).isEqualTo(Settlement.BEHIND);
            assertThat(scene.parked(follower).attempts()).as(follower).isZero();
        }
        assertThat(scene.lastSettlementOf("b1")).isEqualTo(Settlement.PUBLISHED);
        assertThat(scene.lastSettlementOf("c1")).isEqualTo(Settlement.PUBLISHED);
    }

    /** In every order of the answers. */
    @Test
    void the_order_of_the_answers_does_not_change_what_goes_behind() {
        for (List<Integer> answers : List.of(List.of(0, 1, 2), List.of(2, 1, 0), List.of(1, 0, 2), List.of(0, 2, 1))) {
            AnsweredByHand destination = new AnsweredByHand();
            CycleScene scene = scene(destination).batchesOf(1);
            scene.append("a1", "a2", "a3");
            scene.run();
            for (int answer : answers) {
                destination.sent(answer).answer(RETRY);
                scene.run();
            }
            assertThat(scene.parked("a1").attempts()).as("a1, %s", answers).isEqualTo(1);
            assertThat(scene.parked("a2").attempts()).as("a2, %s", answers).isZero();
            assertThat(scene.parked("a3").attempts()).as("a3, %s", answers).isZero();

            scene.pass(Duration.ofSeconds(1));
            destination.deliverAll(scene);
            assertThat(destination.sentNames()).as("%s", answers).containsExactly("a1", "a2", "a3", "a1", "a2", "a3");
            assertThat(scene.parked()).isEmpty();
        }
    }

    @Test
    void events_claimed_between_an_answer_and_its_settlement_are_parked_behind() {
        CycleScene scene = scene(byHand).batchesOf(1);
        scene.append("b1", "a1");
        scene.run();
        byHand.sent(1).answer(RETRY);
        scene.run();
        scene.append("a2", "c1");
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("b1", "a1", "c1");

        byHand.sent(0).deliver();
        byHand.sent(2).deliver();
        scene.run();
        assertThat(scene.lastSettlementOf("a2")).isEqualTo(Settlement.BEHIND);
        scene.pass(Duration.ofSeconds(1));
        byHand.deliverAll(scene);
        assertThat(byHand.sentNames()).containsExactly("b1", "a1", "c1", "a1", "a2");
    }

    @Test
    void a_retry_may_be_in_flight_again_before_its_followers_are_settled() {
        CycleScene scene = scene(byHand).batchesOf(1);
        scene.append("a1", "b1", "a2");
        scene.run();
        byHand.sent(0).answer(RETRY);
        scene.run();
        scene.pass(Duration.ofSeconds(1));
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "a2", "a1");

        byHand.sent(2).answer(RETRY);
        byHand.sent(3).answer(RETRY);
        byHand.sent(1).deliver();
        scene.run();
        assertThat(scene.parked("a1").attempts()).isEqualTo(2);
        assertThat(scene.parked("a2").attempts()).isZero();

        scene.pass(Duration.ofSeconds(3));
        byHand.deliverAll(scene);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "a2", "a1", "a1", "a2");
    }

    @Test
    void a_key_that_was_closed_and_opened_again_can_close_again() {
        InMemoryDestination broker = new InMemoryDestination();
        CycleScene scene = scene(broker).batchesOf(1);
        for (int i = 1; i <= 9; i += 3) {
            broker.failKey("Thing:a", 1, RETRY);
            scene.append("a" + i, "a" + (i + 1), "a" + (i + 2));
            scene.run();
            scene.pass(Duration.ofSeconds(1));
            scene.run();
        }
        assertThat(CycleScene.names(broker.delivered()))
                .containsExactly("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9");
    }

    @Test
    void parked_events_continue_after_a_crash() {
        InMemoryDestination broker = new InMemoryDestination();
        CycleScene scene = scene(broker);
        broker.failKey("Thing:a", 1, RETRY);
        scene.append("a1", "a2");
        scene.run();
        scene.crash();
        scene.pass(Duration.ofSeconds(1));
        scene.run();

        assertThat(CycleScene.names(broker.delivered())).containsExactly("a1", "a2");
    }

    private static CycleScene scene(Destination destination) {
        return new CycleScene(destination).options(options -> options.retry(POLICY));
    }
}
