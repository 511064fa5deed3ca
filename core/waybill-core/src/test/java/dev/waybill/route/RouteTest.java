package dev.waybill.route;

import static dev.waybill.format.SampleEvent.PLACED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {
    private static final Route NOTIFICATIONS = Route.byAggregateType(Map.of(
            "RESTAURANT", "notification.restaurant",
            "CUSTOMER", "notification.customer",
            "AGENCY", "notification.agency",
            "ADMIN", "notification.admin"));

    @Test
    void by_aggregate_type_all_events_of_an_aggregate_have_one_topic_and_key() {
        for (String type : new String[] {"order.placed.v1", "order.paid.v1"}) {
            Address address = Route.byAggregateType().addressOf(PLACED.withType(type));
            assertThat(address.topic()).isEqualTo("Order");
            assertThat(address.key()).isEqualTo(Route.byType().addressOf(PLACED).key());
        }
        assertThat(Route.byAggregateType().topicOf("order.paid.v1", "Order")).contains("Order");
        assertThatThrownBy(() -> Route.byAggregateType().addressOf(PLACED.withAggregate("", "5")))
                .hasMessageContaining("has no aggregate type");
    }

    @Test
    void by_type_the_topic_is_the_type() {
        assertThat(Route.byType().addressOf(PLACED).topic()).isEqualTo("order.order.placed.v1");
        assertThat(Route.byType().addressOf(PLACED.withType("é漢😀")).topic()).isEqualTo("é漢😀");
    }

    @Test
    void the_stored_topic_is_used_unchanged() {
        assertThat(Route.storedTopic().addressOf(PLACED.withTopic("there")).topic())
                .isEqualTo("there");
    }

    @Test
    void everything_goes_to_the_fixed_topic() {
        assertThat(Route.fixed("all").addressOf(PLACED.withTopic("there")).topic())
                .isEqualTo("all");
    }

    @ParameterizedTest
    @CsvSource({
        "RESTAURANT, notification.restaurant",
        "CUSTOMER, notification.customer",
        "AGENCY, notification.agency",
        "ADMIN, notification.admin"
    })
    void by_aggregate_type_the_topic_comes_from_the_map(String aggregateType, String topic) {
        Address address = NOTIFICATIONS.addressOf(PLACED.withNumericAggregate(aggregateType, "5"));
        assertThat(address.topic()).isEqualTo(topic);
        assertThat(address.key()).isEqualTo("5".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"COURIER", "restaurant", "RESTAURANT ", ""})
    void an_unknown_aggregate_type_is_refused_and_the_message_names_the_known_ones(String aggregateType) {
        assertThatThrownBy(() -> NOTIFICATIONS.addressOf(PLACED.withAggregate(aggregateType, "5")))
                .isInstanceOf(RouteException.class)
                .hasMessageContaining(PLACED.id().toString())
                .hasMessageContaining("\"" + aggregateType + "\"")
                .hasMessageContaining("ADMIN, AGENCY, CUSTOMER, RESTAURANT")
                .hasMessageContaining("add the aggregate type with its topic to the route");
    }

    @Test
    void messages_are_limited_in_length() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            many.put("TYPE-" + i, "topic");
        }
        assertThatThrownBy(() -> Route.byAggregateType(many).addressOf(PLACED.withAggregate("😀".repeat(5000), "5")))
                .hasMessageContaining("😀…")
                .hasMessageContaining("and 980 more")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1000));
    }

    @Test
    void an_empty_map_or_a_blank_entry_is_refused_at_once() {
        assertThatThrownBy(() -> Route.byAggregateType(Map.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> Route.byAggregateType(Map.of("ADMIN", " "))).hasMessageContaining("ADMIN");
        assertThatThrownBy(() -> Route.byAggregateType(Map.of(" ", "topic"))).hasMessageContaining("topic");
    }

    @ParameterizedTest
    @CsvSource({
        "{type}, order.order.placed.v1",
        "shop.{aggregateType}.events, shop.Order.events",
        "{aggregateType}{aggregateId}, Ordero-7",
        "{type}/{aggregateType}/{aggregateId}, order.order.placed.v1/Order/o-7",
        "é-{type}-é, é-order.order.placed.v1-é"
    })
    void a_template_is_filled_with_the_parts_of_the_event(String template, String topic) {
        assertThat(Route.template(template).addressOf(PLACED).topic()).isEqualTo(topic);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "orders, has no placeholder",
                "``, has no placeholder",
                "a{type, opens a brace at character 2",
                "{type}}, closes a brace at character 7",
                "}{type}, closes a brace at character 1",
                "{Type}, has an unknown placeholder {Type}",
                "{}, has an unknown placeholder {}",
                "{topic}, has an unknown placeholder {topic}",
                "{a{type}, has an unknown placeholder {a{type}"
            })
    void a_wrong_template_is_refused_at_once_with_the_remedy(String template, String why) {
        assertThatThrownBy(() -> Route.template(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("{type}, {aggregateType} or {aggregateId}");
    }

    @Test
    void a_blank_fixed_topic_is_refused_at_once() {
        assertThatThrownBy(() -> Route.fixed(" ")).hasMessageContaining("give the name of a topic");
    }

    @Test
    void an_event_without_a_stored_topic_is_refused_with_the_remedy() {
        for (var event : List.of(PLACED, PLACED.withTopic(""))) {
            assertThatThrownBy(() -> Route.storedTopic().addressOf(event))
                    .isInstanceOf(RouteException.class)
                    .hasMessageContaining(PLACED.id().toString())
                    .hasMessageContaining("has no stored topic")
                    .hasMessageContaining("use another route");
        }
    }

    @Test
    void an_empty_part_leaves_the_event_unroutable() {
        assertThatThrownBy(() -> Route.byType().addressOf(PLACED.withType("")))
                .isInstanceOf(RouteException.class)
                .hasMessageContaining("has no type");
        assertThatThrownBy(() -> Route.template("x.{type}").addressOf(PLACED.withType("")))
                .isInstanceOf(RouteException.class);
    }

    @Test
    void the_key_is_the_stored_key_or_the_aggregate_id() {
        for (Route route : List.of(
                Route.byType(),
                Route.fixed("t"),
                Route.template("t.{type}"),
                Route.byAggregateType(Map.of("Order", "t")))) {
            assertThat(route.addressOf(PLACED).key()).isEqualTo("o-7".getBytes(StandardCharsets.UTF_8));
            assertThat(route.addressOf(PLACED.withKey("k")).key()).isEqualTo("k".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void decoded_names_are_cached_up_to_a_limit() {
        TopicRoute route = (TopicRoute) Route.byType();
        assertThat(route.addressOf(PLACED).topic())
                .isSameAs(route.addressOf(PLACED.withId("other")).topic());
        for (int i = 0; i < 3 * TopicRoute.KEPT_NAMES; i++) {
            assertThat(route.addressOf(PLACED.withType("t" + i)).topic()).isEqualTo("t" + i);
            assertThat(route.keptNames()).isBetween(1, TopicRoute.KEPT_NAMES);
        }
    }

    @Test
    void an_address_does_not_show_its_key() {
        assertThat(Route.byType().addressOf(PLACED.withKey("SECRET"))).hasToString("Address[order.order.placed.v1]");
    }

    @Test
    void a_route_returns_the_topic_of_a_type_if_nothing_else_matters() {
        assertThat(Route.byType().topicOf("placed", "Order")).contains("placed");
        assertThat(Route.fixed("all").topicOf("placed", "Order")).contains("all");
        assertThat(Route.template("x.{aggregateType}.{type}").topicOf("placed", "Order"))
                .contains("x.Order.placed");
        assertThat(NOTIFICATIONS.topicOf("opened", "RESTAURANT")).contains("notification.restaurant");
    }

    @Test
    void a_route_that_depends_on_other_properties_returns_no_topic() {
        assertThat(Route.storedTopic().topicOf("placed", "Order")).isEmpty();
        assertThat(Route.template("x.{aggregateId}").topicOf("placed", "Order")).isEmpty();
        assertThat(NOTIFICATIONS.topicOf("opened", "COURIER")).isEmpty();
        Route own = event -> new Address("own", new byte[0]);
        assertThat(own.topicOf("placed", "Order")).isEmpty();
    }
}
