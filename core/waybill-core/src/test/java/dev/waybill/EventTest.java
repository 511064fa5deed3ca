package dev.waybill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {
    private static final Payload EMPTY = Payload.json("{}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "event-id",
                "Event-Type",
                "content-type",
                "event_id",
                "aggregate_id",
                "dead-letter-done",
                "DEAD-LETTER-x"
            })
    void reserved_headers_are_refused(String name) {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> valid().header(name, "forged"))
                .withMessageContainingAll(name, "use another");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order\nplaced", "order\u001b[2J", "order\r", "order\u0085", "order\u007f"})
    void names_with_control_characters_are_refused(String name) {
        List<UnaryOperator<Event>> places = List.of(
                event -> Event.of(name).aggregate("Order", "o-1").payload(EMPTY),
                event -> Event.of("x.v1").aggregate(name, "o-1").payload(EMPTY),
                event -> event.topic(name),
                event -> event.id(name),
                event -> event.header(name, "x"));
        for (UnaryOperator<Event> place : places) {
            assertThatExceptionOfType(InvalidEventException.class)
                    .isThrownBy(() -> place.apply(valid()))
                    .withMessageContaining("control character");
        }
    }

    @Test
    void an_event_has_what_it_was_given() {
        Event event = valid().id("own-id")
                .version(3)
                .aggregateVersion(7)
                .topic("orders")
                .key("customer-1")
                .header("b", "2")
                .header("a", "");

        assertThat(event.id()).isEqualTo("own-id");
        assertThat(event.type()).isEqualTo("order.placed.v1");
        assertThat(event.version()).isEqualTo(3);
        assertThat(event.aggregateType()).isEqualTo("Order");
        assertThat(event.aggregateId()).isEqualTo("o-1");
        assertThat(event.aggregateVersion()).hasValue(7);
        assertThat(event.topic()).contains("orders");
        assertThat(event.key()).contains("customer-1");
        assertThat(event.payload()).isEqualTo(EMPTY);
        assertThat(event.headers()).containsExactly(Map.entry("b", "2"), Map.entry("a", ""));
    }

    @Test
    void optional_parts_have_defaults() {
        Event event = valid();

        assertThat(UUID.fromString(event.id()).version()).isEqualTo(7);
        assertThat(event.version()).isEqualTo(1);
        assertThat(event.aggregateVersion()).isEmpty();
        assertThat(event.topic()).isEmpty();
        assertThat(event.key()).isEmpty();
        assertThat(event.headers()).isEmpty();
    }

    @Test
    void a_changed_event_is_a_copy() {
        Event first = valid().header("a", "1");
        Event second = first.header("b", "2")
                .header("a", "3")
                .id("other")
                .key("k")
                .topic("t")
                .version(2);

        assertThat(first.headers()).containsExactly(Map.entry("a", "1"));
        assertThat(first.key()).isEmpty();
        assertThat(first.version()).isEqualTo(1);
        assertThat(second.headers()).containsExactly(Map.entry("a", "3"), Map.entry("b", "2"));
        assertThat(second.id()).isEqualTo("other").isNotEqualTo(first.id());
        assertThat(second.type()).isEqualTo(first.type());
        assertThat(second.payload()).isEqualTo(first.payload());
    }

    @Test
    void two_events_have_two_ids() {
        assertThat(valid().id()).isNotEqualTo(valid().id());
    }

    @Test
    void headers_cannot_be_changed_from_outside() {
        Event event = valid().header("a", "1");

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> event.headers().put("b", "2"));
    }

    @Test
    void an_event_without_type_is_refused_with_the_remedy() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Event.of(" "))
                .withMessage("The event has no type: set it, as in Event.of(\"order.placed.v1\").");
    }

    @Test
    void an_event_without_aggregate_is_refused_with_the_remedy() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Event.of("x.v1").aggregate("", "1"))
                .withMessage("The event has no aggregate type: set it, as in .aggregate(\"Order\", orderId).");
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> Event.of("x.v1").aggregate("Order", ""))
                .withMessage("The event has no aggregate id: set it, as in .aggregate(\"Order\", orderId).");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may do
    void an_event_without_payload_is_refused_with_the_remedy_and_without_its_aggregate_id() {
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() ->
                        Event.of("x.v1").aggregate("Person", "jane@example.org").payload(null))
                .withMessageContaining("Event x.v1 of Person has no payload")
                .withMessageContaining(".payload(Payload.jsonOf(object))")
                .satisfies(e -> assertThat(e).hasMessageNotContaining("jane"));
    }

    @Test
    void an_empty_text_is_refused() {
        refused(b -> b.id("")).withMessage("The event's id is empty: leave it out or give it a value.");
        refused(b -> b.topic("")).withMessageContaining("topic is empty");
        refused(b -> b.key("")).withMessageContaining("key is empty");
        refused(b -> b.header("", "v")).withMessageContaining("header name is empty");
    }

    @Test
    void text_longer_than_the_limit_is_refused() {
        String name = "n".repeat(Event.MAX_NAME_LENGTH);
        String key = "k".repeat(Event.MAX_KEY_LENGTH);
        Event longest = Event.of(name)
                .aggregate(name, key)
                .payload(EMPTY)
                .id(key)
                .topic(name)
                .key(key);
        assertThat(longest.key()).contains(key);

        refused(b -> b.topic(name + "n"))
                .withMessage("The event's topic has 256 characters, at most 255 are allowed: use a shorter one.");
        refused(b -> of(name + "n", "1")).withMessageContaining("aggregate type has 256");
        refused(b -> of("X", key + "k")).withMessageContaining("aggregate id has 1001");
        refused(b -> b.id(key + "k")).withMessageContaining("id has 1001");
        refused(b -> b.key(key + "k")).withMessageContaining("key has 1001");
        refused(b -> b.header(name + "n", "v")).withMessageContaining("header name has 256");
    }

    @Test
    void a_character_that_databases_cannot_store_is_refused_and_not_shown() {
        refused(b -> b.key("secret\0"))
                .withMessage("The event's key has a character that cannot be stored (0x0 at 6): remove it.");
        refused(b -> of("X", "secret\ud83d")).withMessageContaining("0xd83d at 6");
        refused(b -> b.header("h", "secret\ude9a"))
                .withMessageContaining("header h")
                .withMessageContaining("0xde9a");
        refused(b -> b.topic("\ude9a\ud83d")).withMessageContaining("0xde9a at 0");

        assertThat(valid().key("🚚").key()).contains("🚚");
    }

    @Test
    void headers_are_bounded_in_number_and_length() {
        refused(b -> {
                    for (int i = 0; i <= Event.MAX_HEADERS; i++) {
                        b = b.header("h" + i, "v");
                    }
                    return b;
                })
                .withMessage("The event has 65 headers, at most 64 are allowed: put data into the payload.");
        refused(b -> b.header("h", "v".repeat(Event.MAX_HEADERS_LENGTH)))
                .withMessage(
                        "The event's headers have 32769 characters together, at most 32768 are allowed: put data into"
                                + " the payload.");
        assertThat(valid().header("h", "v".repeat(Event.MAX_HEADERS_LENGTH - 1)).headers())
                .hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may do
    void a_header_without_value_is_refused_with_the_remedy() {
        refused(b -> b.header("h", null))
                .withMessage("The event's header h has no value: leave it out or give it one.");
    }

    @Test
    void the_text_of_an_event_shows_no_personal_data() {
        Event event = Event.of("x.v1")
                .aggregate("Person", "jane")
                .payload(Payload.json("\"jane-payload\""))
                .id("id-1")
                .key("jane-key")
                .header("user", "jane-header");

        assertThat(event).hasToString("Event[id-1 x.v1 v1, 14 bytes]");
    }

    private static Event valid() {
        return of("Order", "o-1");
    }

    private static Event of(String aggregateType, String aggregateId) {
        return Event.of("order.placed.v1").aggregate(aggregateType, aggregateId).payload(EMPTY);
    }

    private static ThrowableAssertAlternative<InvalidEventException> refused(UnaryOperator<Event> spoil) {
        return assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> spoil.apply(valid()));
    }
}
