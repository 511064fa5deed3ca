package dev.waybill.registry;

import static dev.waybill.format.SampleEvent.PLACED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.format.SampleEvent;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventRegistryTest {
    record LicenseChanged(String licenseId, String status) {}

    private static final PayloadCheck ANYTHING = payload -> List.of();
    private static final EventRegistry REGISTRY = EventRegistry.of(
            new EventDefinition(
                    "license_status_changed", "licenses", "license", PayloadCheck.javaType(LicenseChanged.class)),
            new EventDefinition("anything", "things", "thing", ANYTHING));
    private static final SampleEvent CHANGED = PLACED.withType("license_status_changed")
            .withAggregate("license", "l-1")
            .withPayload("{\"licenseId\": \"l-1\", \"status\": \"pending\"}");
    private static final SampleEvent THING = PLACED.withType("anything").withAggregate("thing", "t-1");

    @Test
    void a_valid_event_goes_to_the_topic_of_its_type() {
        Address address = REGISTRY.route().addressOf(CHANGED.withTopic("elsewhere"));
        assertThat(address.topic()).isEqualTo("licenses");
        assertThat(address.key()).isEqualTo("l-1".getBytes(StandardCharsets.UTF_8));
        assertThat(REGISTRY.route().addressOf(CHANGED.withKey("k")).key())
                .isEqualTo("k".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void another_route_can_be_checked_by_it() {
        Route route = REGISTRY.checking(Route.fixed("pf-domain-events"));
        assertThat(route.addressOf(CHANGED).topic()).isEqualTo("pf-domain-events");
        assertThat(refusal(route, CHANGED.withAggregate("store", "l-1"))).contains("must be \"license\"");
        assertThat(List.of(REGISTRY.route(), route))
                .extracting(Object::toString)
                .containsExactly("by registry", "fixed topic pf-domain-events, checked by registry");
    }

    @Test
    void an_unknown_type_is_refused_with_those_known_and_the_remedy() {
        assertThat(refusal(CHANGED.withType("license_changed")))
                .contains(PLACED.id().toString(), "of type license_changed", "was not sent")
                .contains("defines 2: anything, license_status_changed")
                .contains("add the type with its topic, aggregate type and payload");
        assertThat(refusal(EventRegistry.of().route(), CHANGED)).contains("defines no types");
    }

    @Test
    void all_problems_are_reported_together() {
        assertThat(refusal(CHANGED.withAggregate("store", " ").withPayload("{\"licenseId\": 5}")))
                .contains("its aggregate type is \"store\" and must be \"license\"")
                .contains("it has no aggregate id")
                .contains("/licenseId cannot be read as String");
    }

    @Test
    void many_violations_are_counted_beyond_a_hundred() {
        List<Violation> many = IntStream.range(0, 1000)
                .mapToObj(i -> new Violation(List.of("items", i), "is missing"))
                .toList();
        EventRegistry registry = EventRegistry.of(new EventDefinition("anything", "t", "thing", payload -> many));
        assertThat(refusal(registry.route(), THING))
                .contains("/items/0 is missing")
                .contains("/items/99 is missing")
                .doesNotContain("/items/100 ")
                .contains("and 900 more");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "null | the payload is null",
                "`` | the payload is missing",
                "`  ` | the payload is missing",
                "{\"a\":\"SECRET | the payload is not JSON at character",
                "SECRET | the payload is not JSON at character",
                "{} {} | a second value after the first",
                "{\"a\":1,\"a\":2} | a name twice in one object",
                "[NaN] | the payload is not JSON",
                "1e1001 | a number with an exponent beyond 1000",
                "{\"a\":[-1e-999999999]} | a number with an exponent beyond 1000",
            })
    void an_unreadable_payload_is_refused_without_quoting_it(String payload, String problem) {
        assertThat(refusal(THING.withPayload(payload))).contains(problem).doesNotContain("SECRET");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "false", "\"\"", "[]", "{}", "1e400", "-0", "\"\\ud83d\"", " \n{ }\t"})
    void any_other_json_value_can_be_checked(String payload) {
        assertThat(REGISTRY.route().addressOf(THING.withPayload(payload)).topic())
                .isEqualTo("things");
    }

    @Test
    void invalid_utf8_is_refused() {
        assertThat(refusal(THING.withPayload(new byte[] {'"', (byte) 0xC3, '"'}, "application/json")))
                .contains("not valid UTF-8");
        assertThat(refusal(THING.withPayload("{}".getBytes(StandardCharsets.UTF_16BE), "application/json")))
                .contains("not JSON");
    }

    @Test
    void a_payload_that_is_declared_as_something_else_is_refused() {
        byte[] json = "{}".getBytes(StandardCharsets.UTF_8);
        assertThat(refusal(THING.withPayload(json, "application/protobuf")))
                .contains("the payload is application/protobuf and must be JSON");
        assertThat(REGISTRY.route()
                        .addressOf(THING.withPayload(json, "application/vnd.shop+json"))
                        .topic())
                .isEqualTo("things");
    }

    @Test
    void a_payload_that_is_too_large_or_too_deep_is_refused_with_the_limit() {
        EventRegistry small = REGISTRY.withLimits(new PayloadLimits(50, 5));
        assertThat(small.route().addressOf(THING.withPayload("[[[[[]]]]]")).topic())
                .isEqualTo("things");
        assertThat(refusal(small.route(), THING.withPayload("[[[[[[]]]]]]"))).contains("nests deeper than 5 levels");
        assertThat(refusal(small.route(), THING.withPayload(" ".repeat(49) + "{}")))
                .contains("has 51 bytes, at most 50 are allowed");
        assertThat(refusal(THING.withPayload("[".repeat(100_000)))).contains("nests deeper than 100 levels");
        assertThat(refusal(THING.withPayload("9".repeat(2000)))).contains("more than 1000 digits");
        assertThat(REGISTRY.route()
                        .addressOf(THING.withPayload("\"" + "x".repeat(999_000) + "\""))
                        .topic())
                .isEqualTo("things");
    }

    @ParameterizedTest
    @CsvSource({"0, 5", "5, 0", "-1, 5", "5, 501"})
    void limits_out_of_range_are_refused(int bytes, int depth) {
        assertThatThrownBy(() -> new PayloadLimits(bytes, depth)).hasMessageContaining("from 1 to 500");
    }

    @Test
    void a_type_has_one_definition() {
        List<EventDefinition> twice = new ArrayList<>();
        twice.add(new EventDefinition("a", "t", "x", ANYTHING));
        twice.add(new EventDefinition("a", "u", "x", ANYTHING));
        assertThatThrownBy(() -> EventRegistry.of(twice)).hasMessageContaining("\"a\" is defined twice");
    }

    @Test
    void a_definition_with_a_blank_is_refused() {
        assertThatThrownBy(() -> new EventDefinition("a", " ", "x", ANYTHING)).hasMessageContaining("blank topic");
        assertThatThrownBy(() -> new EventDefinition("a", "t", "", ANYTHING))
                .hasMessageContaining("blank aggregate type");
    }

    private static String refusal(SampleEvent event) {
        return refusal(REGISTRY.route(), event);
    }

    private static String refusal(Route route, SampleEvent event) {
        try {
            route.addressOf(event);
        } catch (RouteException e) {
            return e.getMessage();
        }
        throw new AssertionError("The event was not refused.");
    }
}
