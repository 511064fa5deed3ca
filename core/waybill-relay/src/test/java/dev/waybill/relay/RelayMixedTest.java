package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Delivery;
import dev.waybill.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counters and phase of a running relay while a part of its destination is unavailable. */
@Timeout(120)
class RelayMixedTest {
    private static final Delivery AWAY = new Delivery.Unavailable("no route to host");
    private static final Delivery DOUBT = new Delivery.InDoubt("partition 3 is unavailable");
    private static final Delivery REFUSED = new Delivery.Refused("never");

    private final RelayScene scene = new RelayScene();
    private final AnsweredByRule broker = new AnsweredByRule(name -> Delivery.DELIVERED);

    @AfterEach
    void end() {
        broker.rule(name -> Delivery.DELIVERED);
        scene.close();
    }

    @Test
    void a_released_event_is_counted_once_when_it_is_settled_and_is_no_progress_before() {
        broker.rule(name -> switch (name) {
            case "a1" -> AWAY;
            case "b1" -> REFUSED;
            default -> Delivery.DELIVERED;
        });
        scene.append("a1", "b1", "c1", "d1");
        Relay relay = scene.start(RelayScene.plan(scene.store(), broker));
        RelayScene.until(Phase.BACKING_OFF, relay);
        Await.until(
                "it has tried four times",
                () -> broker.delivered().stream().filter("c1"::equals).count() >= 4);
        assertThat(relay.statistics().state().phase()).isEqualTo(Phase.BACKING_OFF);
        assertThat(relay.statistics().dead()).isZero();
        assertThat(relay.statistics().published()).isZero();

        broker.rule(name -> name.equals("b1") ? REFUSED : Delivery.DELIVERED);
        Await.until("all are settled", () -> scene.status().backlog() == 0);
        Await.until("counted", () -> relay.statistics().published() == 3);
        assertThat(relay.statistics().dead()).isEqualTo(1);
        assertThat(relay.statistics().retried()).isZero();
        RelayScene.until(Phase.RUNNING, relay);
    }

    @Test
    void events_in_doubt_are_counted_separately_and_others_continue() {
        broker.rule(name -> name.startsWith("a") ? DOUBT : Delivery.DELIVERED);
        scene.append("a1", "b1", "a2", "b2");
        Relay relay = scene.start(RelayScene.plan(scene.store(), broker));
        Await.until("b flows", () -> relay.statistics().published() == 2);
        assertThat(relay.statistics().retried()).isZero();
        assertThat(relay.statistics().inDoubt()).isPositive();
        assertThat(relay.statistics().behind()).isEqualTo(1);

        broker.rule(name -> Delivery.DELIVERED);
        scene.untilSettled();
        assertThat(broker.delivered()).containsExactly("b1", "b2", "a1", "a2");
        assertThat(relay.statistics().retried()).isZero();
    }
}
