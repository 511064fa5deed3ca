package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.memory.InMemoryDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A destination that keeps no order after a failure gets one event of a key at a time. */
class RelayCycleOneAtATimeTest {
    private static final Delivery RETRY = new Delivery.Retry("not now");

    private final AnsweredByHand byHand = new AnsweredByHand(KeyOrder.ONE_AT_A_TIME);
    private final CycleScene scene = new CycleScene(byHand).batchesOf(3);

    @Test
    void the_first_event_of_each_key_is_sent_and_the_next_after_its_answer() {
        scene.append("a1", "b1", "a2");
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "b1");

        byHand.sent(0).deliver();
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "a2");
        assertThat(scene.settled()).isEmpty();

        byHand.sent(1).deliver();
        scene.run();
        assertThat(scene.settledNames()).containsExactly("a1", "b1", "a2");
    }

    @Test
    void a_key_that_is_busy_in_one_batch_waits_in_the_next_and_other_keys_do_not() {
        scene.append("a1", "b1", "c1", "a2", "d1", "a3");
        scene.run();
        assertThat(byHand.sent())
                .extracting(AnsweredByHand.Sent::names)
                .containsExactly(List.of("a1", "b1", "c1"), List.of("d1"));

        byHand.sent(0).deliver();
        scene.run();
        assertThat(byHand.sent(2).names()).containsExactly("a2");
        byHand.sent(2).deliver();
        scene.run();
        assertThat(byHand.sent(3).names()).containsExactly("a3");
        assertThat(scene.settledNames()).containsExactly("a1", "b1", "c1");

        byHand.sent(3).deliver();
        byHand.sent(1).deliver();
        scene.run();
        assertThat(scene.settledNames()).containsExactly("a1", "b1", "c1", "a2", "d1", "a3");
    }

    @Test
    void events_waiting_in_an_older_batch_are_sent_first() {
        scene.append("a1", "a2", "b1");
        scene.run();
        scene.append("a3");
        byHand.sent(0).deliver();
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "a2");
    }

    @Test
    void after_a_failure_later_events_of_the_key_are_parked_behind() {
        scene.append("a1", "b1", "a2", "a3", "b2", "c1");
        scene.run();
        byHand.sent(0).answer(RETRY, Delivery.DELIVERED);
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "c1", "b2");

        byHand.sent(1).deliver();
        byHand.sent(2).deliver();
        scene.run();
        assertThat(scene.lastSettlementOf("a1")).isInstanceOf(Settlement.RetryAt.class);
        assertThat(scene.lastSettlementOf("a2")).isEqualTo(Settlement.BEHIND);
        assertThat(scene.lastSettlementOf("a3")).isEqualTo(Settlement.BEHIND);
        assertThat(scene.lastSettlementOf("b2")).isEqualTo(Settlement.PUBLISHED);

        scene.pass(Duration.ofMillis(100));
        byHand.deliverAll(scene);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "c1", "b2", "a1", "a2", "a3");
    }

    @Test
    void the_next_event_is_sent_after_a_refused_one() {
        scene.append("a1", "a2");
        scene.run();
        byHand.sent(0).answer(new Delivery.Refused("never"));
        byHand.deliverAll(scene);

        assertThat(byHand.sentNames()).containsExactly("a1", "a2");
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.lastSettlementOf("a2")).isEqualTo(Settlement.PUBLISHED);
    }

    /** Otherwise, after a crash, the dead event would be sent again and could be delivered after the next one. */
    @Test
    void the_next_event_is_not_sent_before_a_dead_one_is_settled() {
        scene.options(options -> options.retry(new RetryPolicy(0, Duration.ZERO, 1, Duration.ZERO)));
        scene.append("b1", "c1", "d1", "a1", "a2");
        scene.run();
        byHand.sent(1).answer(RETRY);
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("b1", "c1", "d1", "a1");
        assertThat(scene.dead()).isEmpty();

        byHand.deliverAll(scene);
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(byHand.sentNames()).containsExactly("b1", "c1", "d1", "a1", "a2");
    }

    /** Otherwise every key would wait for the slowest answer of a large batch. */
    @Test
    void a_large_batch_is_split_so_that_keys_do_not_wait_for_each_other() {
        CycleScene large = new CycleScene(byHand).batchesOf(240);
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            String key = "" + (char) ('a' + i / 26) + (char) ('a' + i % 26);
            first.add(key + "1");
            second.add(key + "2");
        }
        large.append(first.toArray(String[]::new));
        large.append(second.toArray(String[]::new));
        large.run();
        assertThat(byHand.sent()).extracting(sent -> sent.names().size()).containsExactly(50, 50, 20);

        byHand.sent(1).deliver();
        large.run();
        assertThat(byHand.sent()).hasSize(4);
        assertThat(byHand.sent(3).names()).isEqualTo(second.subList(50, 100));
    }

    @Test
    void events_ready_while_the_lease_was_uncertain_are_not_sent() {
        scene.append("a1", "a2");
        scene.run();
        scene.loseLease();
        byHand.sent(0).deliver();
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1");
    }

    @Test
    void if_dead_events_hold_their_key_one_event_of_a_key_is_in_flight() {
        for (KeyOrder order : KeyOrder.values()) {
            AnsweredByHand destination = new AnsweredByHand(order);
            CycleScene holding = new CycleScene(destination).onDead(OnDead.HOLD);
            holding.append("a1", "a2", "b1");
            holding.run();
            assertThat(destination.sentNames()).as("%s", order).containsExactly("a1", "b1");
        }
    }

    @Test
    void the_lease_is_checked_before_each_publish() {
        InMemoryDestination broker = new InMemoryDestination(KeyOrder.ONE_AT_A_TIME);
        List<CycleScene> scenes = new ArrayList<>();
        Destination slow = new Destination() {
            @Override
            public Guarantees guarantees() {
                return broker.guarantees();
            }

            @Override
            public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
                scenes.get(0).loseLease();
                return broker.publish(batch, seen);
            }

            @Override
            public void abort() {}

            @Override
            public void close() {}
        };
        CycleScene scene = new CycleScene(slow);
        scenes.add(scene);
        String[] names = new String[200];
        for (int i = 0; i < names.length; i++) {
            names[i] = "" + (char) ('a' + i / 26) + (char) ('a' + i % 26) + "1";
        }
        scene.append(names);
        scene.run();

        assertThat(broker.delivered()).as("of the first publish").hasSize(50);
    }
}
