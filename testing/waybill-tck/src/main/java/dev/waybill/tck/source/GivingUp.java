package dev.waybill.tck.source;

import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.Sender;
import dev.waybill.tck.destination.SentMessage;
import dev.waybill.tck.source.SourceHarness.Sent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A consumer that handles nothing: its messages become dead letters. */
final class GivingUp {
    static final Instant FAILED_AT = Instant.parse("2026-11-01T10:15:30.123456Z");

    private final DeadLetterHarness harness;

    GivingUp(DeadLetterHarness harness) {
        this.harness = harness;
    }

    static List<String> ids(List<DeadLetterEntry> letters) {
        return letters.stream()
                .map(letter -> letter.eventId().orElse("unknown"))
                .toList();
    }

    /** Messages of one key that a consumer received, could not handle, and sent to the dead letters. */
    List<InboundMessage> giveUp(String... ids) throws Exception {
        List<Sent> sent = new ArrayList<>();
        for (String id : ids) {
            byte[] value = ("{\"id\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8);
            sent.add(new Sent("k", value, Map.of("event-id", id, "note", "grüße")));
        }
        harness.send(sent);
        try (Reading reading = Reading.of(harness.source()).await(ids.length)) {
            for (int i = 0; i < ids.length; i++) {
                post(reading.got().get(i), Optional.of(ids[i]));
            }
            reading.acknowledgeAll();
            return reading.got();
        }
    }

    /** Sends a dead letter as the consumer runtime does. */
    void post(InboundMessage message, Optional<String> eventId) throws Exception {
        DeadLetterBody body = new DeadLetterBody(eventId, message.value(), "product not found", FAILED_AT, "billing");
        publish(new OutboundMessage(
                SentMessage.facts(eventId.orElse(message.place()), "k"),
                harness.deadLetterTopic(),
                message.key(),
                body.toJson(),
                DeadLetterHeaders.of(message)));
    }

    void publish(OutboundMessage message) throws Exception {
        List<Delivery> outcome = new Sender(harness.destination())
                .publish(List.of(message))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        assertThat(outcome).containsExactly(DELIVERED);
    }
}
