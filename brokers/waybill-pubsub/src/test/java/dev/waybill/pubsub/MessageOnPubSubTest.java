package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.relay.ManualRelay;
import dev.waybill.route.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The message that a subscriber receives: on Google's emulator if it is installed, otherwise on the test server. */
class MessageOnPubSubTest {
    private static Optional<PubSubEmulator> emulator;
    private static Optional<PubSubServer> own;
    private static String address;

    @BeforeAll
    static void start() {
        emulator = PubSubEmulator.startIfInstalled();
        own = emulator.isPresent() ? Optional.empty() : Optional.of(new PubSubServer());
        address = emulator.map(PubSubEmulator::address)
                .orElseGet(() -> own.orElseThrow().address());
    }

    @AfterAll
    static void stop() {
        emulator.ifPresent(PubSubEmulator::close);
        own.ifPresent(PubSubServer::close);
    }

    @Test
    void the_body_is_the_stored_payload_and_there_are_five_attributes() throws InterruptedException {
        byte[] payload =
                "{ \"licenseId\" : 1e2,\t\"n\":-0.10, \"name\":\"é漢😀 \\u00e9\\/\", \"twice\":1,\"twice\":2 }\n"
                        .getBytes(StandardCharsets.UTF_8);
        PubsubMessage message = sent("lic1", Payload.json(payload), Map.of());

        assertThat(message.getData().toByteArray()).isEqualTo(payload);
        assertThat(message.getOrderingKey()).isEqualTo("lic");
        assertThat(message.getAttributesMap())
                .containsOnlyKeys("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at")
                .containsEntry("event_id", "lic1")
                .containsEntry("event_type", "license_status_changed")
                .containsEntry("aggregate_type", "Thing")
                .containsEntry("aggregate_id", "lic");
        assertThat(message.getAttributesOrThrow("created_at"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    }

    @Test
    void a_payload_of_a_megabyte_arrives_byte_for_byte() throws InterruptedException {
        byte[] payload = ("[\"" + "é漢😀".repeat(120_000) + "\"]").getBytes(StandardCharsets.UTF_8);
        assertThat(payload).hasSizeGreaterThan(1_000_000);
        assertThat(sent("big1", Payload.json(payload), Map.of()).getData().toByteArray())
                .isEqualTo(payload);
    }

    @Test
    void headers_of_the_event_are_attributes_beside_the_five() throws InterruptedException {
        String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        PubsubMessage message = sent(
                "h1",
                Payload.binary(new byte[] {0, -1}, "application/octet-stream"),
                Map.of("traceparent", traceparent));
        assertThat(message.getAttributesMap())
                .hasSize(7)
                .containsEntry("traceparent", traceparent)
                .containsEntry("content_type", "application/octet-stream");
        assertThat(message.getData().toByteArray()).containsExactly(0, -1);
    }

    private static PubsubMessage sent(String name, Payload payload, Map<String, String> headers)
            throws InterruptedException {
        Event event = Event.of("license_status_changed")
                .aggregate("Thing", name.replaceAll("\\d", ""))
                .payload(payload)
                .id(name);
        for (Map.Entry<String, String> header : headers.entrySet()) {
            event = event.header(header.getKey(), header.getValue());
        }
        try (Topics topics = new Topics(address);
                PubSubDestination destination =
                        PubSubDestination.of(PubSubOptions.of(Topics.PROJECT).emulator(address))) {
            String topic = topics.create();
            ManualRelay relay = new ManualRelay(destination, Route.fixed(topic), options -> options);
            relay.append(List.of(event));
            relay.runUntilAllIsSettled();
            List<PubsubMessage> messages = topics.read(topic);
            assertThat(messages).hasSize(1);
            return messages.get(0);
        }
    }
}
