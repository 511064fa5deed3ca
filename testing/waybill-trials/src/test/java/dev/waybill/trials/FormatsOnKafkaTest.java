package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.trials.Messages.Message;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same events in every format, through PostgreSQL and Kafka: what arrives, byte for byte and header for header. */
class FormatsOnKafkaTest {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    /** Texts that a parser and printer would change. */
    private static final List<String> PAYLOADS = List.of(
            "{\"orderId\":\"o-7\"}",
            " \n\t{ \"b\" : 1.10 ,\r\n \"a\" : [ ] }\n ",
            "[1e5, 1E+05, 1.0, -0, -0.0, 1e400, 123456789012345678901234567890.10]",
            "{\"text\":\"é 漢 😀 \u2028\",\"escaped\":\"\\u00e9 \\ud83d\\ude00 \\/ \\u0041\"}",
            "{\"same\":1,\"same\":2,\"\":null}",
            "\"" + "é7".repeat(333_000) + "\"");

    private static final List<Event> JSON = new ArrayList<>();
    private static Event binary;
    private static Trial trial;

    @BeforeAll
    static void append() throws Exception {
        trial = Trial.begin("formats");
        PAYLOADS.forEach(payload -> JSON.add(event(Payload.json(payload))));
        byte[] noise = new byte[10_000];
        new Random(7).nextBytes(noise);
        binary = event(Payload.binary(noise, "application/protobuf"));
        try (Connection connection = trial.database().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.journal().append(connection, JSON);
            JdbcOutbox.journal().append(connection, binary);
            connection.commit();
        }
    }

    @AfterAll
    static void end() {
        trial.close();
    }

    private static Event event(Payload payload) {
        return Event.of("order.order.placed.v1")
                .aggregate("Order", "o-7")
                .payload(payload)
                .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .header("tenant", "é");
    }

    @Test
    void an_envelope_is_put_around_the_stored_bytes() throws Exception {
        List<Message> messages = relay("envelope", Format.envelope("order-service"), JSON.size());
        for (int i = 0; i < JSON.size(); i++) {
            Event event = JSON.get(i);
            assertThat(messages.get(i).text())
                    .isEqualTo("{\"eventId\":\"" + event.id() + "\",\"timestamp\":\"" + createdAt(event)
                            + "\",\"eventType\":\"order.order.placed.v1\",\"version\":1,\"source\":\"order-service\",\"data\":"
                            + PAYLOADS.get(i)
                            + ",\"metadata\":{\"traceId\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"idempotencyKey\":\""
                            + event.id() + "\"}}");
            assertHeaders(messages.get(i), event, "application/json");
        }
    }

    @Test
    void a_notification_has_the_stored_bytes_as_its_last_field() throws Exception {
        List<Message> messages = relay("notification", Format.notification(), JSON.size());
        for (int i = 0; i < JSON.size(); i++) {
            Event event = JSON.get(i);
            assertThat(messages.get(i).text())
                    .isEqualTo("{\"event_id\":\"" + event.id()
                            + "\",\"event_type\":\"order.order.placed.v1\",\"aggregate_type\":\"Order\","
                            + "\"aggregate_id\":\"o-7\",\"payload\":" + PAYLOADS.get(i) + "}");
            assertHeaders(messages.get(i), event, "application/json");
        }
    }

    @Test
    void raw_and_stored_are_the_stored_bytes_and_nothing_else() throws Exception {
        for (Format format : List.of(Format.raw(), Format.stored())) {
            List<Message> messages = relay(format.toString(), format, JSON.size() + 1);
            assertBodies(messages);
            for (int i = 0; i < JSON.size(); i++) {
                assertHeaders(messages.get(i), JSON.get(i), "application/json");
            }
            assertHeaders(messages.get(JSON.size()), binary, "application/protobuf");
        }
    }

    @Test
    void raw_with_attributes_carries_the_names_of_pubsub() throws Exception {
        List<Message> messages = relay("attributes", Format.raw(HeaderStyle.ATTRIBUTES), JSON.size() + 1);
        assertBodies(messages);
        for (int i = 0; i < messages.size(); i++) {
            Event event = i < JSON.size() ? JSON.get(i) : binary;
            Map<String, String> expected = new LinkedHashMap<>();
            expected.put("event_id", event.id());
            expected.put("event_type", "order.order.placed.v1");
            expected.put("aggregate_type", "Order");
            expected.put("aggregate_id", "o-7");
            expected.put("created_at", createdAt(event));
            if (event == binary) {
                expected.put("content_type", "application/protobuf");
            }
            assertOwnHeadersAfter(expected, messages.get(i));
        }
    }

    /** A relay of its own over the same journal, to a topic of its own; all events have one key. */
    private static List<Message> relay(String name, Format format, int expected) throws Exception {
        String topic = "formats-" + name;
        Topics.make(List.of(topic));
        KafkaDestination kafka = trial.opened(KafkaDestination.connect(
                Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers())));
        RelayPlan plan = RelayPlan.named(name)
                .from(trial.database().journal())
                .to(kafka)
                .route(Route.fixed(topic))
                .format(format);
        trial.opened(Relay.start(plan));
        List<Message> messages = Messages.await(topic, expected);
        assertThat(messages).hasSize(expected).allMatch(message -> message.key().equals("o-7"));
        return messages;
    }

    private static void assertBodies(List<Message> messages) {
        for (int i = 0; i < JSON.size(); i++) {
            assertThat(messages.get(i).body()).isEqualTo(PAYLOADS.get(i).getBytes(StandardCharsets.UTF_8));
        }
        assertThat(messages.get(JSON.size()).body()).isEqualTo(binary.payload().bytes());
    }

    private static void assertHeaders(Message message, Event event, String contentType) {
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("event-id", event.id());
        expected.put("event-type", "order.order.placed.v1");
        expected.put("content-type", contentType);
        assertOwnHeadersAfter(expected, message);
    }

    /** The store may keep the application's own headers in any order. */
    private static void assertOwnHeadersAfter(Map<String, String> expected, Message message) {
        assertThat(List.copyOf(message.headers().entrySet()).subList(0, expected.size()))
                .isEqualTo(List.copyOf(expected.entrySet()));
        expected.putAll(event(Payload.json("{}")).headers());
        assertThat(message.headers()).isEqualTo(expected);
    }

    private static String createdAt(Event event) throws Exception {
        try (Connection connection = trial.database().dataSource().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select created_at from waybill.event where id = ?::uuid")) {
            statement.setString(1, event.id());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return MICROS.format(row.getTimestamp(1).toInstant());
            }
        }
    }
}
