package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.tck.memory.InMemoryDestination;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An outage of the destination counts no attempts. */
class RelayCycleAwayTest {
    private static final Delivery RETRY = new Delivery.Retry("not now");
    private static final Delivery AWAY = new Delivery.Unavailable("no route to host");

    private final AnsweredByHand byHand = new AnsweredByHand();
    private final CycleScene scene = new CycleScene(byHand).batchesOf(2);

    @Test
    void the_result_names_the_reason_and_all_events_are_sent_again_uncounted() {
        scene.append("a1", "a2", "b1", "a3");
        scene.run();
        byHand.sent(0).answer(AWAY, AWAY);
        byHand.sent(1).answer(AWAY, AWAY);
        assertThat(scene.run()).isEqualTo(new CycleResult.Unavailable("no route to host"));
        assertThat(scene.parked()).isEmpty();
        assertThat(scene.status().backlog()).isEqualTo(4);

        byHand.sent().clear();
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "a2", "b1", "a3");
    }

    @Test
    void an_outage_of_any_length_makes_no_event_dead() {
        InMemoryDestination broker = new InMemoryDestination();
        CycleScene patient = new CycleScene(broker)
                .options(options -> options.retry(new RetryPolicy(0, Duration.ZERO, 1, Duration.ZERO)));
        patient.append("a1", "b1");
        broker.goAway();
        for (int i = 0; i < 30; i++) {
            assertThat(patient.run()).isInstanceOf(CycleResult.Unavailable.class);
        }
        broker.comeBack();
        patient.run();

        assertThat(CycleScene.names(broker.delivered())).containsExactly("a1", "b1");
        assertThat(patient.parked()).isEmpty();
    }

    @Test
    void events_before_the_first_undelivered_one_are_settled() {
        scene.append("a1", "a2", "b1", "b2", "a3", "a4");
        scene.run();
        byHand.sent(0).deliver();
        byHand.sent(1).answer(Delivery.DELIVERED, AWAY);
        byHand.sent(2).answer(AWAY, AWAY);
        assertThat(scene.run()).isInstanceOf(CycleResult.Unavailable.class);
        assertThat(scene.status().backlog()).isEqualTo(3);

        byHand.sent().clear();
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("b2", "a3", "a4");
    }

    @Test
    void all_messages_in_flight_are_aborted_and_waited_for() {
        scene.append("a1", "a2", "b1", "b2", "c1");
        scene.run();
        byHand.sent(1).answer(AWAY, AWAY);
        assertThat(scene.turn()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.aborts()).isPositive();
        assertThat(byHand.sent()).hasSize(3);
        assertThat(scene.settled()).isEmpty();

        byHand.sent(2).answer(AWAY);
        assertThat(scene.turn()).isEqualTo(CycleResult.FULL);
        byHand.sent(0).deliver();
        assertThat(scene.turn()).isInstanceOf(CycleResult.Unavailable.class);
        assertThat(scene.status().backlog()).isEqualTo(3);
    }

    @Test
    void a_destination_is_told_that_the_relay_has_seen_the_outage_even_when_nothing_else_was_in_flight() {
        scene.append("a1");
        scene.run();
        byHand.sent(0).answer(AWAY);
        scene.run();

        assertThat(byHand.aborts()).isPositive();
    }

    @Test
    void only_a_retry_before_the_first_undelivered_event_is_counted() {
        scene.append("a1", "b1", "c1", "c2");
        scene.run();
        byHand.sent(0).answer(RETRY, AWAY);
        byHand.sent(1).answer(RETRY, RETRY);
        scene.run();

        assertThat(scene.parked("a1").attempts()).isEqualTo(1);
        assertThat(scene.parked()).hasSize(1);
        byHand.sent().clear();
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("b1", "c1", "c2");
    }

    @Test
    void keys_closed_by_discarded_answers_are_open_again() {
        scene.append("b1", "b2", "a1", "a2");
        scene.run();
        byHand.sent(0).answer(AWAY, AWAY);
        byHand.sent(1).answer(RETRY, RETRY);
        scene.run();
        byHand.sent().clear();
        scene.run();
        byHand.sent().forEach(AnsweredByHand.Sent::deliver);
        scene.run();

        assertThat(byHand.sentNames()).containsExactly("b1", "b2", "a1", "a2");
        assertThat(scene.status().backlog()).isZero();
        assertThat(scene.parked()).isEmpty();
    }

    @Test
    void the_limits_in_flight_are_the_same_afterwards() {
        CycleScene small = new CycleScene(byHand).batchesOf(1).inFlight(2, 1_000);
        small.append(List.of(
                CycleScene.event("a1", "\"" + "x".repeat(498) + "\""),
                CycleScene.event("a2", "\"" + "x".repeat(498) + "\"")));
        small.run();
        byHand.sent(0).answer(AWAY);
        byHand.sent(1).answer(AWAY);
        small.run();
        byHand.sent().clear();
        small.run();

        assertThat(byHand.sent()).hasSize(2);
    }

    @Test
    void with_one_at_a_time_unsent_events_are_sent_after_those_that_were_sent() {
        AnsweredByHand destination = new AnsweredByHand(KeyOrder.ONE_AT_A_TIME);
        CycleScene oneByOne = new CycleScene(destination).batchesOf(2);
        oneByOne.append("a1", "a2", "a3", "b1");
        oneByOne.run();
        assertThat(destination.sentNames()).containsExactly("a1", "b1");
        destination.sent(0).answer(AWAY);
        destination.sent(1).deliver();
        assertThat(oneByOne.run()).isInstanceOf(CycleResult.Unavailable.class);
        destination.sent().clear();
        destination.deliverAll(oneByOne);

        assertThat(destination.sentNames()).containsExactly("a1", "b1", "a2", "a3");
    }

    @ParameterizedTest
    @EnumSource
    void order_is_kept_over_an_outage(KeyOrder order) {
        InMemoryDestination broker = new InMemoryDestination(order);
        CycleScene through = new CycleScene(broker).batchesOf(2);
        broker.holdAcknowledgements();
        through.append("a1", "b1", "a2", "b2", "a3");
        through.run();
        broker.release(1);
        broker.goAway();
        through.run();
        through.append("a4", "b3");
        broker.comeBack();
        broker.releaseAll();
        for (int i = 0; i < 5; i++) {
            through.run();
        }

        List<String> first = List.copyOf(new LinkedHashSet<>(CycleScene.names(broker.delivered())));
        assertThat(first.stream().filter(name -> name.startsWith("a"))).containsExactly("a1", "a2", "a3", "a4");
        assertThat(first.stream().filter(name -> name.startsWith("b"))).containsExactly("b1", "b2", "b3");
        assertThat(through.status().backlog()).isZero();
    }

    @Test
    void an_answer_that_fails_counts_as_unavailable() {
        scene.append("a1");
        scene.run();
        byHand.sent(0).answer().completeExceptionally(new IllegalStateException("a defect"));

        assertThat(scene.run())
                .isInstanceOfSatisfying(
                        CycleResult.Unavailable.class,
                        turn -> assertThat(turn.error()).contains(IllegalStateException.class.getName()));
        assertThat(scene.status().backlog()).isEqualTo(1);
    }

    @Test
    void an_answer_with_too_few_or_too_many_outcomes_counts_as_unavailable() {
        scene.append("a1", "a2");
        scene.run();
        byHand.sent(0).answer(Delivery.DELIVERED);
        assertThat(scene.run())
                .isInstanceOfSatisfying(
                        CycleResult.Unavailable.class,
                        turn -> assertThat(turn.error()).contains("1", "2"));
        scene.run();
        byHand.sent(1).answer(Delivery.DELIVERED, Delivery.DELIVERED, Delivery.DELIVERED);
        assertThat(scene.run())
                .isInstanceOfSatisfying(
                        CycleResult.Unavailable.class,
                        turn -> assertThat(turn.error()).contains("3", "2"));
        assertThat(scene.status().backlog()).isEqualTo(2);
    }
}
