package dev.waybill.pubsub;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.Sender;
import dev.waybill.tck.destination.SentMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Messages whose id and body is their name, and whose key is its letters: {@code a1} and {@code a2} belong together. */
final class Letters {
    private Letters() {}

    static OutboundMessage message(String topic, String name) {
        return SentMessage.of(topic, keyOf(name), name, name.getBytes(StandardCharsets.UTF_8));
    }

    static List<OutboundMessage> messages(String topic, String... names) {
        return Arrays.stream(names).map(name -> message(topic, name)).toList();
    }

    /** From 1 to the count. */
    static List<String> names(String key, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> key + i).toList();
    }

    static String keyOf(String name) {
        return name.replaceAll("[^a-z]", "");
    }

    static List<Delivery> outcomes(CompletionStage<List<Delivery>> stage) {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("A publish did not complete, or failed.", e);
        }
    }

    static List<Delivery> publish(Sender destination, String topic, String... names) {
        return outcomes(destination.publish(messages(topic, names)));
    }
}
