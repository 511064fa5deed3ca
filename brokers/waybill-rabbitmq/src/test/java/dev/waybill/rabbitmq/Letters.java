package dev.waybill.rabbitmq;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.SentMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Messages for tests, whose text is their id. */
final class Letters {
    private Letters() {}

    static OutboundMessage letter(String topic, String text) {
        return letter(topic, text, text.getBytes(StandardCharsets.UTF_8));
    }

    static OutboundMessage letter(String topic, String id, byte[] body) {
        return SentMessage.of(topic, "key of " + id, id, body);
    }

    static OutboundMessage withHeader(OutboundMessage message, String name, byte[] value) {
        List<Header> headers = new ArrayList<>(message.headers());
        headers.add(new Header(name, value));
        return new OutboundMessage(message.event(), message.topic(), message.key(), message.value(), headers);
    }

    static List<OutboundMessage> letters(String topic, String prefix, int count) {
        List<OutboundMessage> letters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            letters.add(letter(topic, prefix + i));
        }
        return letters;
    }

    static List<String> texts(List<OutboundMessage> messages) {
        return messages.stream()
                .map(message -> new String(message.value(), StandardCharsets.UTF_8))
                .toList();
    }

    static List<Delivery> outcomes(CompletionStage<List<Delivery>> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
