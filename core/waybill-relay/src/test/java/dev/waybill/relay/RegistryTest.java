package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Outbox;
import dev.waybill.Payload;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.registry.EventDefinition;
import dev.waybill.registry.EventRegistry;
import dev.waybill.registry.PayloadCheck;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.route.Route;
import dev.waybill.spi.Settlement;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events that nobody can route or that do not match the registry: refused at append, or dead at once and only they. */
class RegistryTest {
    record Changed(String status) {}

    private static final EventRegistry REGISTRY = EventRegistry.of(
            new EventDefinition("license_status_changed", "licenses", "license", PayloadCheck.javaType(Changed.class)));

    private final InMemoryDestination broker = new InMemoryDestination();
    private final CycleScene scene = new CycleScene(broker);

    @Test
    void invalid_events_are_dead_without_being_sent_and_others_continue() {
        scene.route(REGISTRY.route());
        scene.append(List.of(
                changed("good1", "{\"status\":\"pending\"}"),
                changed("wrong1", "{\"status\":4711}"),
                changed("null1", "null"),
                event("other1", "store_opened", "license", "{\"status\":\"x\"}"),
                event("about1", "license_status_changed", "store", "{\"status\":\"x\"}"),
                changed("good2", "{\"status\":\"verified\"}")));
        scene.run();

        assertThat(CycleScene.names(broker.delivered("licenses"))).containsExactly("good1", "good2");
        assertDead("wrong1", "/status cannot be read as String");
        assertDead("null1", "the payload is null");
        assertDead("other1", "defines 1: license_status_changed");
        assertDead("about1", "its aggregate type is \"store\" and must be \"license\"");
        assertThat(scene.dead()).hasSize(4);
        assertThat(scene.parked("wrong1").error().orElseThrow()).doesNotContain("4711");
    }

    @Test
    void a_dead_event_holds_its_key_if_configured() {
        scene.route(REGISTRY.route()).onDead(OnDead.HOLD);
        scene.append(List.of(
                changed("a1", "{\"status\":1}"),
                changed("a2", "{\"status\":\"x\"}"),
                changed("b1", "{\"status\":\"x\"}")));
        scene.run();
        assertThat(CycleScene.names(broker.delivered())).containsExactly("b1");
    }

    @Test
    void an_event_of_an_unknown_aggregate_type_is_dead_until_the_route_knows_it() {
        scene.route(Route.byAggregateType(Map.of("license", "licenses")));
        scene.append(List.of(changed("a1", "{}"), event("b1", "store_opened", "store", "{}"), changed("c1", "{}")));
        scene.run();
        assertThat(CycleScene.names(broker.delivered("licenses"))).containsExactly("a1", "c1");
        assertDead("b1", "it has topics for license");

        scene.crash();
        scene.route(Route.byAggregateType(Map.of("license", "licenses", "store", "stores")));
        scene.requeue("b1");
        scene.run();
        assertThat(CycleScene.names(broker.delivered("stores"))).containsExactly("b1");
    }

    @Test
    void an_outbox_refuses_invalid_events_before_anything_is_written() {
        Outbox<InMemoryTransaction> outbox = REGISTRY.checking(scene.outbox());
        Event good = changed("good1", "{\"status\":\"pending\"}");
        Event wrong = changed("wrong1", "{\"status\":4711}");
        Event other = event("other1", "store_opened", "store", "{}");
        try (InMemoryTransaction transaction = scene.outbox().begin()) {
            assertThatThrownBy(() -> outbox.append(transaction, good, wrong, other))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContaining("2 of 3 events do not match the registry, and nothing was appended")
                    .hasMessageContaining(
                            "event wrong1 of type license_status_changed: /status cannot be read as String")
                    .hasMessageContaining("event other1 of type store_opened: its type is not in the registry")
                    .hasMessageNotContaining("4711");
            assertThatThrownBy(() -> outbox.appendIfAbsent(transaction, wrong))
                    .isInstanceOf(InvalidEventException.class);
            outbox.append(transaction, good);
            assertThat(outbox.appendIfAbsent(transaction, good)).isZero();
            transaction.commit();
        }
        assertThat(scene.outbox().committed()).containsExactly(good);
    }

    private void assertDead(String name, String reason) {
        ParkedEvent dead = scene.parked(name);
        assertThat(scene.dead()).contains(name);
        assertThat(dead.attempts()).isZero();
        assertThat(dead.error().orElseThrow()).contains(reason);
        assertThat(scene.settled())
                .filteredOn(settled -> settled.event().equals(name))
                .singleElement()
                .satisfies(settled -> assertThat(settled.as())
                        .isInstanceOfSatisfying(
                                Settlement.Dead.class,
                                as -> assertThat(as.sent()).isFalse()));
    }

    private static Event changed(String name, String json) {
        return event(name, "license_status_changed", "license", json);
    }

    private static Event event(String name, String type, String aggregateType, String json) {
        return Event.of(type)
                .aggregate(aggregateType, CycleScene.keyOf(name))
                .payload(Payload.json(json))
                .id(name);
    }
}
