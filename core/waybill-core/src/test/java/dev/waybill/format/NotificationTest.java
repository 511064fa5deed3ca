package dev.waybill.format;

import static dev.waybill.format.SampleEvent.PLACED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NotificationTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final SampleEvent REQUESTED = PLACED.withId("evt-123-456")
            .withType("RESERVATION_REQUESTED")
            .withNumericAggregate("RESTAURANT", "5")
            .withPayload("{\"guests\":4}");

    private final Format notification = Format.notification();

    @Test
    void it_has_exactly_five_fields_in_these_bytes() {
        assertThat(text(REQUESTED))
                .isEqualTo("{\"event_id\":\"evt-123-456\",\"event_type\":\"RESERVATION_REQUESTED\","
                        + "\"aggregate_type\":\"RESTAURANT\",\"aggregate_id\":5,\"payload\":{\"guests\":4}}");
    }

    @Test
    void headers_of_the_event_are_not_in_the_body() {
        SampleEvent event = REQUESTED.withHeaders("{\"userId\":\"u\"}");
        assertThat(text(event)).isEqualTo(text(REQUESTED));
        assertThat(notification.format(event).headers())
                .extracting(header -> header.name())
                .containsExactly("event-id", "event-type", "content-type", "userId");
    }

    @Test
    void an_id_that_is_text_in_the_store_is_a_string_even_if_it_looks_like_a_number() {
        assertThat(text(REQUESTED.withAggregate("RESTAURANT", "5"))).contains("\"aggregate_id\":\"5\",\"payload\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9223372036854775807", "-9223372036854775808", "5.00", "1e5", "0.5E-7", "12E+3"})
    void numbers_keep_their_form(String number) {
        assertThat(text(REQUESTED.withNumericAggregate("RESTAURANT", number)))
                .contains("\"aggregate_id\":" + number + ",\"payload\":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-", "007", "-01", "+5", "5.", ".5", "1e", "1e+", "1e5x", "5 ", "NaN", "Infinity", "0x1F"})
    void an_id_that_is_not_a_json_number_is_refused_with_the_remedy(String number) {
        assertThatThrownBy(() -> notification.format(REQUESTED.withNumericAggregate("RESTAURANT", number)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("evt-123-456")
                .hasMessageContaining("not a number in JSON")
                .hasMessageContaining("requeue");
    }

    @Test
    void text_is_escaped_in_every_field() {
        String nasty = "q\"b\\s/\b\t\n\f\r\u0001 é漢😀\u2028";
        JsonNode message = JSON.readTree(notification
                .format(PLACED.withId(nasty).withType(nasty).withAggregate(nasty, nasty))
                .value());
        assertThat(message.propertyNames())
                .containsExactly("event_id", "event_type", "aggregate_type", "aggregate_id", "payload");
        for (String name : new String[] {"event_id", "event_type", "aggregate_type", "aggregate_id"}) {
            assertThat(message.get(name).asString()).isEqualTo(nasty);
        }
    }

    @Test
    void a_binary_payload_is_refused_with_the_remedy_and_without_its_bytes() {
        SampleEvent event = REQUESTED.withPayload("SECRET".getBytes(StandardCharsets.UTF_8), "application/protobuf");
        assertThatThrownBy(() -> notification.format(event))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("the format notification accepts only JSON")
                .hasMessageNotContaining("SECRET");
    }

    private String text(SampleEvent event) {
        return new String(notification.format(event).value(), StandardCharsets.UTF_8);
    }
}
