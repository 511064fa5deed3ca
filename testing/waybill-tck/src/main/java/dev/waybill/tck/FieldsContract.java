package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What goes in comes out. */
abstract class FieldsContract extends AppendContract {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String ODD_TEXT = "Zoë's \"order\" \\ 7 – 注文 🚚; -- ' ; :x ?";

    @Test
    void every_field_that_the_store_keeps_comes_back_as_it_was_appended() {
        String id = UUID.randomUUID().toString();
        Event event = Event.of("order.order.placed.v3")
                .aggregate("Order", aggregateId("o-17"))
                .payload(Payload.json("{\"total\":12}"))
                .id(id);
        StoredEvent stored = throughTheStore(withWhatIsKept(event));

        assertThat(stored.id()).isEqualTo(Utf8.of(id));
        assertThat(stored.type()).isEqualTo(Utf8.of("order.order.placed.v3"));
        assertThat(stored.version()).isEqualTo(keeps(StoredField.VERSION) ? 3 : 1);
        assertThat(stored.aggregateType()).isEqualTo(Utf8.of(keeps(StoredField.AGGREGATE_TYPE) ? "Order" : ""));
        assertThat(stored.aggregateId()).isEqualTo(Utf8.of(aggregateId("o-17")));
        assertThat(stored.aggregateVersion())
                .isEqualTo(
                        keeps(StoredField.AGGREGATE_VERSION)
                                ? OptionalLong.of(9_007_199_254_740_993L)
                                : OptionalLong.empty());
        assertThat(stored.topic()).isEqualTo(keeps(StoredField.TOPIC) ? Utf8.of("orders") : null);
        assertThat(stored.key()).isEqualTo(keeps(StoredField.KEY) ? Utf8.of("customer-4") : null);
        assertThat(headers(stored))
                .isEqualTo(
                        keeps(StoredField.HEADERS)
                                ? Map.of("traceparent", TRACEPARENT, "odd", ODD_TEXT, "empty", "")
                                : Map.of());
        assertThat(stored.payload()).isEqualTo("{\"total\":12}".getBytes(StandardCharsets.UTF_8));
        assertThat(stored.contentType()).isEqualTo("application/json");
        assertThat(stored.createdAt()).isCloseTo(harness().clock().instant(), within(10, ChronoUnit.MINUTES));
        assertThat(stored.attempts()).isZero();
    }

    private Event withWhatIsKept(Event plain) {
        Event event = plain;
        if (keeps(StoredField.VERSION)) {
            event = event.version(3);
        }
        if (keeps(StoredField.AGGREGATE_VERSION)) {
            event = event.aggregateVersion(9_007_199_254_740_993L);
        }
        if (keeps(StoredField.TOPIC)) {
            event = event.topic("orders");
        }
        if (keeps(StoredField.KEY)) {
            event = event.key("customer-4");
        }
        if (keeps(StoredField.HEADERS)) {
            event = event.header("traceparent", TRACEPARENT)
                    .header("odd", ODD_TEXT)
                    .header("empty", "");
        }
        return event;
    }

    @Test
    void what_was_left_out_stays_out() {
        StoredEvent stored = throughTheStore(plain(Payload.json("{}")));

        assertThat(stored.version()).isEqualTo(1);
        assertThat(stored.aggregateVersion()).isEmpty();
        assertThat(stored.topic()).isNull();
        assertThat(stored.key()).isNull();
        assertThat(stored.headersJson()).isNull();
        assertThat(stored.orderKey())
                .isEqualTo(Utf8.of((keeps(StoredField.AGGREGATE_TYPE) ? "X:" : ":") + aggregateId("1")));
    }

    @Test
    void an_event_with_more_than_the_store_keeps_is_refused() {
        assumeTrue(harness().keeps().size() < StoredField.values().length, "this store keeps everything");
        StoreHarness.Tx tx = begin();
        if (!keeps(StoredField.TOPIC)) {
            assertThatExceptionOfType(InvalidEventException.class)
                    .isThrownBy(() -> tx.append(Event.of("x.v1")
                            .aggregate("X", aggregateId("1"))
                            .payload(Payload.json("{}"))
                            .topic("t")));
        }
        if (!keeps(StoredField.BINARY_PAYLOAD)) {
            assertThatExceptionOfType(InvalidEventException.class)
                    .isThrownBy(() -> tx.append(plain(Payload.binary(new byte[] {0}, "application/x"))));
        }
        tx.commit();

        assertThat(relay().drain()).isEmpty();
    }

    @Test
    void text_of_any_script_and_with_quotes_comes_back() {
        String aggregateId = keeps(StoredField.TEXT_AGGREGATE_ID) ? ODD_TEXT + " id" : aggregateId("1");
        Event event = Event.of(ODD_TEXT + " type")
                .aggregate(ODD_TEXT + " aggregate", aggregateId)
                .payload(Payload.json("{}"));
        if (keeps(StoredField.TOPIC)) {
            event = event.topic(ODD_TEXT + " topic");
        }
        if (keeps(StoredField.KEY)) {
            event = event.key(ODD_TEXT + " key");
        }
        if (keeps(StoredField.HEADERS)) {
            event = event.header(ODD_TEXT, ODD_TEXT.toUpperCase(Locale.ROOT));
        }
        StoredEvent stored = throughTheStore(event);

        assertThat(stored.type()).hasToString(ODD_TEXT + " type");
        assertThat(stored.aggregateType())
                .hasToString(keeps(StoredField.AGGREGATE_TYPE) ? ODD_TEXT + " aggregate" : "");
        assertThat(stored.aggregateId()).hasToString(aggregateId);
        assertThat(stored.topic()).isEqualTo(keeps(StoredField.TOPIC) ? Utf8.of(ODD_TEXT + " topic") : null);
        assertThat(stored.key()).isEqualTo(keeps(StoredField.KEY) ? Utf8.of(ODD_TEXT + " key") : null);
        assertThat(headers(stored))
                .isEqualTo(keeps(StoredField.HEADERS) ? Map.of(ODD_TEXT, ODD_TEXT.toUpperCase(Locale.ROOT)) : Map.of());
    }

    @Test
    void the_longest_texts_that_an_event_may_have_come_back() {
        assumeKeeps(StoredField.LONGEST_TEXTS);
        String name = "n".repeat(Event.MAX_NAME_LENGTH);
        String key = "k".repeat(Event.MAX_KEY_LENGTH);
        StoredEvent stored = throughTheStore(Event.of(name)
                .aggregate(name, key)
                .payload(Payload.json("{}"))
                .topic(name)
                .key(key));

        assertThat(stored.type()).hasToString(name);
        assertThat(stored.aggregateType()).hasToString(name);
        assertThat(stored.aggregateId()).hasToString(key);
        assertThat(stored.topic()).hasToString(name);
        assertThat(stored.key()).hasToString(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ \"b\" : 1 ,\t\"a\":\r\n  2 }",
                "{\"n\":[1.0,1.50,1e3,-0,1E+400,0.1000000000000000000000000000000001,12345678901234567890123]}",
                "{\"a\":1,\"a\":2,\"\":3}",
                "{\"text\":\"Zo\\u00eb \\/ \\ud83d\\ude9a 注文 🚚 \\\" \\\\ \u007f\"}",
                "\"only a text\"",
                "17",
                "null",
                " [ ] ",
            })
    void a_json_payload_comes_back_byte_for_byte(String json) {
        assumeKeeps(StoredField.EXACT_JSON);
        StoredEvent stored = throughTheStore(plain(Payload.json(json)));

        assertThat(new String(stored.payload(), StandardCharsets.UTF_8)).isEqualTo(json);
        assertThat(stored.contentType()).isEqualTo("application/json");
    }

    @Test
    void a_binary_payload_comes_back_with_its_content_type() {
        assumeKeeps(StoredField.BINARY_PAYLOAD);
        byte[] everyByte = new byte[512];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        StoredEvent stored = throughTheStore(Event.of("x.v1")
                .aggregate("X", aggregateId("1"))
                .payload(Payload.binary(everyByte, "application/x-protobuf; messageType=\"x.Y\""))
                .header("schema", "7"));

        assertThat(stored.payload()).isEqualTo(everyByte);
        assertThat(stored.contentType()).isEqualTo("application/x-protobuf; messageType=\"x.Y\"");
        assertThat(headers(stored)).isEqualTo(Map.of("schema", "7"));
    }

    @Test
    void an_empty_binary_payload_comes_back_empty() {
        assumeKeeps(StoredField.BINARY_PAYLOAD);
        StoredEvent stored = throughTheStore(Event.of("x.v1")
                .aggregate("X", aggregateId("1"))
                .payload(Payload.binary(new byte[0], "application/octet-stream")));

        assertThat(stored.payload()).isEmpty();
        assertThat(stored.contentType()).isEqualTo("application/octet-stream");
        assertThat(stored.headersJson()).isNull();
    }

    @Test
    void binary_bytes_that_are_json_stay_binary() {
        assumeKeeps(StoredField.BINARY_PAYLOAD);
        StoredEvent stored = throughTheStore(Event.of("x.v1")
                .aggregate("X", aggregateId("1"))
                .payload(Payload.binary("{}".getBytes(StandardCharsets.UTF_8), "application/vnd.x+json")));

        assertThat(stored.contentType()).isEqualTo("application/vnd.x+json");
    }

    @Test
    void a_payload_of_a_megabyte_comes_back() {
        String json = "\"" + "é1".repeat(330_000) + "\"";
        StoredEvent stored = throughTheStore(plain(Payload.json(json)));

        assertThat(stored.payload()).isEqualTo(json.getBytes(StandardCharsets.UTF_8));
    }

    private StoredEvent throughTheStore(Event event) {
        append(book.enter("x1", event));
        Courier relay = relay();
        expect(relay.drain(), "x1");
        return relay.seen("x1");
    }

    private Event plain(Payload payload) {
        return Event.of("x.v1").aggregate("X", aggregateId("1")).payload(payload);
    }

    private static Map<?, ?> headers(StoredEvent stored) {
        Utf8 headers = stored.headersJson();
        return headers == null ? Map.of() : JsonMapper.shared().readValue(headers.bytes(), Map.class);
    }
}
