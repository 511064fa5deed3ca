package dev.waybill.spi.support;

import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Batches of messages of which only the key matters. */
final class Published {
    private Published() {}

    static InFlightBatch batch(long number, long seenBelow, String... keys) {
        return new InFlightBatch(messages(keys), new Seen(number, seenBelow));
    }

    static Place place(String key, long number, long seenBelow) {
        return new Place(batch(number, seenBelow, key), 0);
    }

    static List<OutboundMessage> messages(String... keys) {
        return Arrays.stream(keys).map(Published::message).toList();
    }

    private static OutboundMessage message(String key) {
        Utf8 text = Utf8.of(key);
        EventFacts event = new EventFacts(text, text, text, "application/json", Instant.EPOCH);
        return new OutboundMessage(event, "topic", null, key.getBytes(StandardCharsets.UTF_8), List.of());
    }
}
