package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.admin.ParkedState;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.memory.InMemoryDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With {@code countOutages}, a destination that is unavailable is a failed attempt of the events that it was asked to send. */
class RelayCycleCountedOutageTest {
    private static final Delivery AWAY = new Delivery.Unavailable("no route to host");
    private static final Delivery DOUBT = new Delivery.InDoubt("partition 3 is unavailable");
    private static final RetryPolicy FIVE_RETRIES =
            new RetryPolicy(5, Duration.ofMillis(100), 2, Duration.ofMillis(1_600));

    private final AnsweredByHand byHand = new AnsweredByHand();
    private final CycleScene scene = counting(byHand).batchesOf(2);

    private static CycleScene counting(Destination destination) {
        return new CycleScene(destination)
                .options(options -> options.retry(FIVE_RETRIES).countOutages(true));
    }

    @Test
    void an_event_is_sent_six_times_with_the_waits_of_the_policy_and_then_dead_with_the_error() {
        InMemoryDestination broker = new InMemoryDestination();
        CycleScene away = counting(broker);
        broker.goAway();
        away.append("a1");
        List<Long> waits = new ArrayList<>();
        for (int sent = 1; sent <= 5; sent++) {
            assertThat(away.run()).isInstanceOf(CycleResult.Unavailable.class);
            assertThat(away.parked("a1").attempts()).isEqualTo(sent);
            assertThat(away.parked("a1").error()).isPresent();
            Settlement.RetryAt retry = (Settlement.RetryAt) away.lastSettlementOf("a1");
            Duration wait = Duration.between(away.clock().instant(), retry.at());
            waits.add(wait.toMillis());
            away.pass(wait);
        }
        away.run();

        assertThat(waits).containsExactly(100L, 200L, 400L, 800L, 1_600L);
        assertThat(away.parked("a1").state()).isEqualTo(ParkedState.DEAD);
        assertThat(away.parked("a1").attempts()).isEqualTo(6);
    }

    @Test
    void events_of_all_batches_in_flight_are_counted_and_those_behind_them_are_not() {
        scene.append("a1", "a2", "b1", "a3");
        scene.run();
        byHand.sent(0).answer(AWAY, AWAY);
        byHand.sent(1).answer(AWAY, AWAY);
        assertThat(scene.run()).isEqualTo(new CycleResult.Unavailable("no route to host"));

        assertThat(scene.parked("a1").attempts()).isEqualTo(1);
        assertThat(scene.parked("b1").attempts()).isEqualTo(1);
        assertThat(scene.parked("a2").attempts()).isZero();
        assertThat(scene.parked("a3").attempts()).isZero();

        byHand.sent().clear();
        scene.pass(Duration.ofMillis(100));
        byHand.deliverAll(scene);
        assertThat(ofKey("a")).containsExactly("a1", "a2", "a3");
        assertThat(scene.parked()).isEmpty();
    }

    @Test
    void an_event_delivered_after_a_lost_one_of_its_key_is_sent_again_after_it() {
        scene.append("a1", "a2", "b1", "a3");
        scene.run();
        byHand.sent(0).answer(AWAY, Delivery.DELIVERED);
        byHand.sent(1).deliver();
        scene.run();

        assertThat(scene.lastSettlementOf("b1")).isEqualTo(Settlement.PUBLISHED);
        assertThat(scene.lastSettlementOf("a2")).isEqualTo(Settlement.BEHIND);
        assertThat(scene.lastSettlementOf("a3")).isEqualTo(Settlement.BEHIND);
        byHand.sent().clear();
        scene.pass(Duration.ofMillis(100));
        byHand.deliverAll(scene);
        assertThat(ofKey("a")).containsExactly("a1", "a2", "a3");
    }

    @Test
    void later_events_of_a_key_pass_an_event_that_an_outage_made_dead_or_wait_if_it_holds_the_key() {
        for (OnDead onDead : OnDead.values()) {
            AnsweredByHand destination = new AnsweredByHand();
            CycleScene once = counting(destination)
                    .options(options -> options.retry(FIVE_RETRIES.retries(0)))
                    .onDead(onDead);
            once.append("a1", "b1", "a2");
            once.run();
            destination
                    .sent(0)
                    .answer()
                    .complete(List.copyOf(
                            Collections.nCopies(destination.sentNames().size(), AWAY)));
            once.run();
            assertThat(once.dead()).containsExactly("a1", "b1");
            destination.sent().clear();
            destination.deliverAll(once);
            assertThat(destination.sentNames())
                    .containsExactlyElementsOf(onDead == OnDead.PASS ? List.of("a2") : List.of());

            destination.sent().clear();
            once.requeue("a1", "b1");
            destination.deliverAll(once);
            assertThat(destination.sentNames()).contains("a1", "b1");
            assertThat(once.parked()).isEmpty();
        }
    }

    @Test
    void with_one_at_a_time_events_that_were_not_sent_wait_behind_the_failed_one_or_are_released() {
        AnsweredByHand destination = new AnsweredByHand(KeyOrder.ONE_AT_A_TIME);
        CycleScene oneByOne = counting(destination).batchesOf(4);
        oneByOne.append("a1", "a2", "b1", "b2");
        oneByOne.run();
        assertThat(destination.sentNames()).containsExactly("a1", "b1");
        destination.sent(0).answer(AWAY, AWAY);
        oneByOne.run();

        assertThat(oneByOne.parked("a1").attempts()).isEqualTo(1);
        assertThat(oneByOne.parked("b1").attempts()).isEqualTo(1);
        assertThat(oneByOne.lastSettlementOf("a2")).isEqualTo(Settlement.BEHIND);
        assertThat(oneByOne.lastSettlementOf("b2")).isEqualTo(Settlement.BEHIND);
    }

    @Test
    void a_part_of_the_destination_that_is_unavailable_counts_too() {
        scene.append("a1", "b1");
        scene.run();
        byHand.sent(0).answer(DOUBT, Delivery.DELIVERED);
        scene.run();

        assertThat(scene.parked("a1").attempts()).isEqualTo(1);
        assertThat(scene.parked()).hasSize(1);
    }

    @Test
    void what_a_stopping_relay_aborts_is_not_counted() {
        scene.append("a1", "b1");
        scene.run();
        byHand.sent(0).answer(AWAY, AWAY);
        assertThat(scene.cycle().finish()).isTrue();

        assertThat(scene.parked()).isEmpty();
        assertThat(scene.status().backlog()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void without_a_maximum_an_outage_of_any_length_makes_no_event_dead(KeyOrder order) {
        InMemoryDestination broker = new InMemoryDestination(order);
        CycleScene patient = counting(broker).options(options -> options.retry(FIVE_RETRIES.unlimited()));
        broker.goAway();
        patient.append("a1", "a2", "b1");
        for (int i = 0; i < 40; i++) {
            patient.run();
            patient.pass(FIVE_RETRIES.max());
        }
        assertThat(patient.parked("a1").attempts()).isEqualTo(40);
        assertThat(patient.dead()).isEmpty();

        broker.comeBack();
        patient.run();
        assertThat(CycleScene.names(broker.delivered()).stream().filter(name -> name.startsWith("a")))
                .containsExactly("a1", "a2");
        assertThat(patient.parked()).isEmpty();
    }

    private List<String> ofKey(String key) {
        return byHand.sentNames().stream().filter(name -> name.startsWith(key)).toList();
    }
}
