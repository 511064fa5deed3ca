package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.ParkedState;
import dev.waybill.format.Format;
import dev.waybill.route.Route;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.memory.InMemoryDestination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The normal path of events. */
class RelayCycleTest {
    private final AnsweredByHand byHand = new AnsweredByHand();

    @Test
    void an_appended_event_is_published_settled_and_not_seen_again() {
        InMemoryDestination broker = new InMemoryDestination();
        CycleScene scene = new CycleScene(broker);
        scene.append("a1");

        assertThat(scene.turn()).isEqualTo(CycleResult.WORKED);
        assertThat(scene.turn()).isEqualTo(CycleResult.WORKED);
        assertThat(scene.turn()).isEqualTo(CycleResult.IDLE);
        assertThat(scene.settled()).containsExactly(new CycleScene.Settled("a1", Settlement.PUBLISHED));
        assertThat(scene.status().backlog()).isZero();

        scene.crash();
        assertThat(scene.run()).isEqualTo(CycleResult.IDLE);
        assertThat(CycleScene.names(broker.delivered())).containsExactly("a1");
    }

    @Test
    void the_message_comes_from_route_and_format() {
        InMemoryDestination broker = new InMemoryDestination();
        CycleScene scene = new CycleScene(broker).route(Route.fixed("things"));
        scene.append(List.of(CycleScene.event("a1", "{\"n\":1}")));
        scene.run();

        OutboundMessage message = broker.delivered("things").get(0);
        assertThat(message.key()).asString(StandardCharsets.UTF_8).isEqualTo("a");
        assertThat(message.value()).asString(StandardCharsets.UTF_8).isEqualTo("{\"n\":1}");
        assertThat(message.headers()).isNotEmpty();
    }

    @Test
    void an_empty_outbox_is_idle() {
        assertThat(new CycleScene(byHand).turn()).isEqualTo(CycleResult.IDLE);
        assertThat(byHand.sent()).isEmpty();
    }

    @Test
    void nothing_is_settled_before_its_answer() {
        CycleScene scene = new CycleScene(byHand);
        scene.append("a1", "b1");
        assertThat(scene.run()).isEqualTo(CycleResult.WAITING);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1");
        assertThat(scene.settled()).isEmpty();
        assertThat(scene.status().backlog()).isEqualTo(2);

        byHand.sent(0).deliver();
        assertThat(scene.answersArrived()).isEqualTo(1);
        assertThat(scene.settled()).isEmpty();
        assertThat(scene.turn()).isEqualTo(CycleResult.WORKED);
        assertThat(scene.settledNames()).containsExactly("a1", "b1");
        assertThat(scene.status().backlog()).isZero();
    }

    @Test
    void several_batches_are_in_flight_at_once_and_settled_in_claim_order_whatever_is_answered_first() {
        CycleScene scene = new CycleScene(byHand).batchesOf(2);
        scene.append("a1", "b1", "a2", "b2", "a3", "b3");
        scene.run();
        assertThat(byHand.sent())
                .extracting(AnsweredByHand.Sent::names)
                .containsExactly(List.of("a1", "b1"), List.of("a2", "b2"), List.of("a3", "b3"));

        byHand.sent(2).deliver();
        scene.run();
        byHand.sent(1).deliver();
        scene.run();
        assertThat(scene.settled()).isEmpty();

        byHand.sent(0).deliver();
        scene.run();
        assertThat(scene.settledNames()).containsExactly("a1", "b1", "a2", "b2", "a3", "b3");
    }

    @Test
    void a_batch_is_settled_while_a_later_one_is_in_flight() {
        CycleScene scene = new CycleScene(byHand).batchesOf(1);
        scene.append("a1", "a2");
        scene.run();
        byHand.sent(0).deliver();
        scene.run();

        assertThat(scene.settledNames()).containsExactly("a1");
        assertThat(scene.status().backlog()).isEqualTo(1);
    }

    @Test
    void no_more_batches_are_in_flight_than_allowed() {
        CycleScene scene = new CycleScene(byHand).batchesOf(1).inFlight(2, 1_000_000);
        scene.append("a1", "b1", "c1", "d1");
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1");

        byHand.sent(1).deliver();
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1");

        byHand.sent(0).deliver();
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sentNames()).containsExactly("a1", "b1", "c1", "d1");
    }

    @Test
    void no_batch_is_claimed_while_as_many_bytes_are_in_flight_as_allowed() {
        CycleScene scene = new CycleScene(byHand).batchesOf(1).inFlight(100, 25_000);
        for (int i = 1; i <= 6; i++) {
            scene.append(List.of(CycleScene.event("a" + i, "\"" + "x".repeat(10_000) + "\"")));
        }
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sent()).hasSize(3);

        byHand.sent(0).deliver();
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sent()).hasSize(4);
    }

    @Test
    void a_message_that_copies_the_payload_counts_as_well() {
        CycleScene scene = new CycleScene(byHand)
                .batchesOf(1)
                .inFlight(100, 25_000)
                .plan(plan -> plan.format(Format.envelope("test")));
        for (int i = 1; i <= 6; i++) {
            scene.append(List.of(CycleScene.event("a" + i, "\"" + "x".repeat(10_000) + "\"")));
        }
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sent()).hasSize(2);
    }

    @Test
    void headers_count_in_an_event_and_in_its_message() {
        CycleScene scene = new CycleScene(byHand).batchesOf(1).inFlight(100, 25_000);
        for (int i = 1; i <= 6; i++) {
            scene.append(List.of(Event.of("thing.happened")
                    .aggregate("Thing", "a")
                    .payload(Payload.json("{}"))
                    .id("a" + i)
                    .header("note", "x".repeat(10_000))));
        }
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sent()).hasSize(2);
    }

    @Test
    void an_event_larger_than_any_message_is_dead_without_being_formatted() {
        List<String> formatted = new ArrayList<>();
        CycleScene scene = new CycleScene(byHand)
                .plan(plan -> plan.format(event -> {
                    formatted.add(event.id().toString());
                    return Format.raw().format(event);
                }));
        scene.append(List.of(
                CycleScene.event("a1", "\"" + "x".repeat(1 << 20) + "\""), CycleScene.event("a2", "\"small\"")));
        scene.run();

        assertThat(formatted).containsExactly("a2");
        assertThat(byHand.sentNames()).containsExactly("a2");
        byHand.sent(0).deliver();
        scene.run();
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.parked("a1").attempts()).isZero();
        assertThat(scene.parked("a1").error().orElseThrow())
                .contains("The event has 10486", "bytes, but the destination accepts at most 1048576", "requeue");
    }

    @Test
    void one_batch_may_always_be_in_flight_however_large() {
        CycleScene scene = new CycleScene(byHand).batchesOf(1).inFlight(100, 1);
        scene.append("a1", "a2");
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sentNames()).containsExactly("a1");

        byHand.sent(0).deliver();
        assertThat(scene.run()).isEqualTo(CycleResult.FULL);
        assertThat(byHand.sentNames()).containsExactly("a1", "a2");
    }

    @Test
    void a_batch_without_events_is_settled_in_its_turn() {
        CycleScene scene = new CycleScene(byHand).batchesOf(1);
        scene.append("a1");
        scene.run();
        byHand.sent(0).answer(new Delivery.Retry("not now"));
        scene.run();
        scene.append("b1");
        scene.run();
        scene.append("a2");
        assertThat(scene.run()).isEqualTo(CycleResult.WAITING);
        assertThat(byHand.sentNames())
                .as("the batch with a2 alone brought nothing")
                .containsExactly("a1", "b1");
        assertThat(scene.status().backlog()).isEqualTo(2);

        byHand.sent(1).deliver();
        scene.run();
        assertThat(scene.status().backlog()).isZero();
        assertThat(scene.parked("a2").state()).isEqualTo(ParkedState.WAITING);
    }

    @Test
    void a_paused_relay_claims_nothing_and_settles_messages_in_flight() {
        CycleScene scene = new CycleScene(byHand).batchesOf(1);
        scene.append("a1");
        scene.run();
        scene.outbox().admin().pause(CycleScene.RELAY, CycleScene.ANNA);
        scene.append("a2");
        byHand.sent(0).deliver();
        assertThat(scene.run()).isEqualTo(CycleResult.IDLE);
        assertThat(scene.settledNames()).containsExactly("a1");
        assertThat(byHand.sentNames()).containsExactly("a1");

        scene.outbox().admin().resume(CycleScene.RELAY, CycleScene.ANNA);
        scene.run();
        assertThat(byHand.sentNames()).containsExactly("a1", "a2");
    }

    @Test
    void nothing_is_published_once_the_lease_is_not_certainly_held() {
        CycleScene scene = new CycleScene(byHand);
        scene.append("a1");
        scene.run();
        scene.loseLease();
        scene.append("a2");
        scene.run();

        assertThat(byHand.sentNames()).containsExactly("a1");
    }

    @Test
    void events_in_flight_at_a_crash_are_sent_again_in_order() {
        CycleScene scene = new CycleScene(byHand).batchesOf(2);
        scene.append("a1", "a2", "a3", "b1", "a4");
        scene.run();
        byHand.sent(0).deliver();
        scene.run();
        scene.crash();
        scene.pass(Duration.ofMinutes(2));
        byHand.sent().clear();
        scene.run();

        assertThat(byHand.sentNames()).containsExactly("a3", "b1", "a4");
    }
}
