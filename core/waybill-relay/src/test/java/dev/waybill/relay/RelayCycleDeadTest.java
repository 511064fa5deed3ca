package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.format.Format;
import dev.waybill.format.FormatException;
import dev.waybill.format.Formatted;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.faults.HostileException;
import dev.waybill.tck.memory.InMemoryDestination;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which events become dead, when, and what happens to their keys. */
class RelayCycleDeadTest {
    private static final Delivery REFUSED = new Delivery.Refused("the broker will never take it");

    private final InMemoryDestination broker = new InMemoryDestination();
    private final Set<String> nowhereToGo = new HashSet<>();

    @Test
    void only_the_event_that_cannot_be_routed_is_dead() {
        CycleScene scene = new CycleScene(broker).route(exceptNowhere());
        nowhereToGo.add("a1");
        scene.append("b1", "a1", "a2");
        scene.run();

        assertThat(delivered()).containsExactly("b1", "a2");
        ParkedEvent dead = scene.parked("a1");
        assertThat(dead.state()).isEqualTo(ParkedState.DEAD);
        assertThat(dead.error()).contains("a1 has no topic");
        assertThat(dead.attempts()).as("not sent").isZero();
        assertThat(scene.dead()).containsExactly("a1");
    }

    @Test
    void only_the_event_that_cannot_be_formatted_is_dead() {
        Format raw = Format.raw();
        CycleScene scene = new CycleScene(broker)
                .plan(plan -> plan.format(event -> {
                    if (event.id().toString().equals("a1")) {
                        throw new FormatException("a1 cannot be formatted");
                    }
                    return raw.format(event);
                }));
        scene.append("b1", "a1", "a2");
        scene.run();

        assertThat(delivered()).containsExactly("b1", "a2");
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.parked("a1").error()).contains("a1 cannot be formatted");
    }

    @Test
    void the_error_names_class_and_location_of_an_exception_but_not_its_message() {
        CycleScene scene = new CycleScene(broker).route(event -> {
            throw new ArithmeticException("the customer's name");
        });
        scene.append("a1");
        scene.run();

        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.parked("a1").error().orElseThrow())
                .contains("java.lang.ArithmeticException", getClass().getName(), "RelayCycleDeadTest.java:")
                .doesNotContain("customer");
    }

    @Test
    void only_the_event_that_overflows_the_stack_is_dead() {
        Format raw = Format.raw();
        CycleScene scene = new CycleScene(broker)
                .plan(plan -> plan.format(
                        event -> event.id().toString().equals("a1") ? deeper(raw, event) : raw.format(event)));
        scene.append("b1", "a1", "a2");
        scene.run();

        assertThat(delivered()).containsExactly("b1", "a2");
        assertThat(scene.dead()).containsExactly("a1");
        assertThat(scene.parked("a1").error().orElseThrow()).contains("java.lang.StackOverflowError");
    }

    @SuppressWarnings("InfiniteRecursion") // as a parser does on a hostile payload
    private static Formatted deeper(Format format, StoredEvent event) {
        return deeper(format, event);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AssertionError.class,
                NoClassDefFoundError.class,
                ExceptionInInitializerError.class,
                StackOverflowError.class,
                Undeclared.OfNoKind.class,
                InterruptedException.class,
                HostileException.class
            })
    void whatever_a_route_or_format_throws_only_its_event_is_dead(Class<? extends Throwable> type) throws Exception {
        Throwable thrown = type.getConstructor().newInstance();
        Format raw = Format.raw();
        Route byType = Route.byType();
        CycleScene scene = new CycleScene(broker)
                .plan(plan -> plan.route(event -> {
                            throwFor("a1", event, thrown);
                            return byType.addressOf(event);
                        })
                        .format(event -> {
                            throwFor("b1", event, thrown);
                            return raw.format(event);
                        }));
        scene.append("a1", "b1", "c1", "a2");
        scene.run();

        assertThat(delivered()).containsExactly("c1", "a2");
        assertThat(scene.dead()).containsExactly("a1", "b1");
        assertThat(scene.parked("a1").error().orElseThrow())
                .contains("The route " + getClass().getName(), thrown.getClass().getName());
        assertThat(scene.parked("b1").error().orElseThrow())
                .contains(
                        "The format " + getClass().getName(), thrown.getClass().getName());
    }

    private static void throwFor(String name, StoredEvent event, Throwable thrown) {
        if (event.id().toString().equals(name)) {
            Undeclared.raise(thrown);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no address", "no topic", "no format", "no value", "no headers", "no header", "no header value"})
    void an_incomplete_message_kills_only_its_event(String what) {
        Format raw = Format.raw();
        Route byType = Route.byType();
        CycleScene scene = new CycleScene(broker)
                .plan(plan -> plan.route(
                                event -> isNamed("a1", event) ? address(what, byType, event) : byType.addressOf(event))
                        .format(event -> isNamed("a1", event) ? formatted(what, raw, event) : raw.format(event)));
        scene.append("a1", "b1");
        scene.run();

        assertThat(delivered()).containsExactly("b1");
        assertThat(scene.dead()).containsExactly("a1");
    }

    private static boolean isNamed(String name, StoredEvent event) {
        return event.id().toString().equals(name);
    }

    private static Address address(String what, Route route, StoredEvent event) {
        return switch (what) {
            case "no address" -> null;
            case "no topic" -> new Address(null, new byte[0]);
            default -> route.addressOf(event);
        };
    }

    private static Formatted formatted(String what, Format format, StoredEvent event) {
        byte[] value = new byte[0];
        return switch (what) {
            case "no format" -> null;
            case "no value" -> new Formatted(null, List.of());
            case "no headers" -> new Formatted(value, null);
            case "no header" -> new Formatted(value, Collections.singletonList(null));
            case "no header value" -> new Formatted(value, List.of(new Header("name", null)));
            default -> format.format(event);
        };
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, InternalError.class})
    void an_error_of_the_process_makes_no_event_dead(Class<? extends Error> type) throws Exception {
        Error error = type.getConstructor().newInstance();
        CycleScene scene = new CycleScene(broker).route(event -> {
            throw error;
        });
        scene.append("a1");

        assertThatThrownBy(scene::run).isSameAs(error);
        assertThat(scene.dead()).isEmpty();
    }

    @Test
    void a_batch_without_routable_events_is_settled() {
        CycleScene scene = new CycleScene(broker).route(exceptNowhere());
        nowhereToGo.addAll(List.of("a1", "b1"));
        scene.append("a1", "b1");
        assertThat(scene.run()).isEqualTo(CycleResult.IDLE);

        assertThat(scene.dead()).containsExactly("a1", "b1");
        assertThat(scene.status().backlog()).isZero();
    }

    @Test
    void an_unroutable_event_holds_its_key_in_its_batch_and_in_later_ones() {
        CycleScene scene = new CycleScene(broker)
                .route(exceptNowhere())
                .onDead(OnDead.HOLD)
                .batchesOf(3);
        nowhereToGo.add("a2");
        broker.holdAcknowledgements();
        scene.append("a1", "a2", "a3", "a4", "b1", "a5");
        scene.run();
        broker.releaseAll();
        scene.append("a6");
        scene.run();
        assertThat(delivered()).containsExactlyInAnyOrder("a1", "b1");
        assertThat(scene.parked("a2").holdsKey()).isTrue();

        nowhereToGo.clear();
        scene.requeue("a2");
        scene.run();
        assertThat(deliveredOf("a")).containsExactly("a1", "a2", "a3", "a4", "a5", "a6");
    }

    @ParameterizedTest
    @EnumSource
    void a_refused_event_is_dead_and_later_ones_of_its_key_are_sent(KeyOrder order) {
        InMemoryDestination destination = new InMemoryDestination(order);
        CycleScene scene = new CycleScene(destination).batchesOf(2);
        destination.failKey("Thing:a", 1, REFUSED);
        scene.append("a1", "a2", "b1", "a3");
        scene.run();

        assertThat(CycleScene.names(destination.delivered())).containsExactlyInAnyOrder("a2", "b1", "a3");
        ParkedEvent dead = scene.parked("a1");
        assertThat(dead.state()).isEqualTo(ParkedState.DEAD);
        assertThat(dead.error()).contains("the broker will never take it");
        assertThat(dead.attempts()).isEqualTo(1);
        assertThat(dead.holdsKey()).isFalse();
        assertThat(scene.dead()).containsExactly("a1");
    }

    @ParameterizedTest
    @EnumSource
    void a_refused_event_that_holds_its_key_blocks_later_ones(KeyOrder order) {
        InMemoryDestination destination = new InMemoryDestination(order);
        CycleScene scene = new CycleScene(destination).onDead(OnDead.HOLD).batchesOf(2);
        destination.holdAcknowledgements();
        destination.failKey("Thing:a", 1, REFUSED);
        scene.append("a1", "a2", "b1", "a3");
        scene.run();
        destination.releaseAll();
        scene.append("a4");
        scene.run();
        assertThat(CycleScene.names(destination.delivered())).containsExactly("b1");
        assertThat(scene.parked("a1").holdsKey()).isTrue();
        assertThat(scene.dead()).containsExactly("a1");

        scene.requeue("a1");
        scene.run();
        assertThat(CycleScene.names(destination.delivered())).containsExactly("b1", "a1", "a2", "a3", "a4");
    }

    private Route exceptNowhere() {
        Route byType = Route.byType();
        return event -> {
            if (nowhereToGo.contains(event.id().toString())) {
                throw new RouteException(event.id() + " has no topic");
            }
            return byType.addressOf(event);
        };
    }

    private List<String> delivered() {
        return CycleScene.names(broker.delivered());
    }

    private List<String> deliveredOf(String key) {
        return delivered().stream()
                .filter(name -> CycleScene.keyOf(name).equals(key))
                .toList();
    }
}
