package dev.waybill.tck.destination;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.DestinationHarness.Received;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Creates messages, publishes them, and reads their outcomes. Each message of a key has that key's counter. */
final class Post {
    /** Far longer than any destination needs; a stage that is not complete by then never will be. */
    private static final long PATIENCE_SECONDS = 120;

    private final Sender sender;
    private final Map<String, Integer> counts = new LinkedHashMap<>();

    Post(Destination destination) {
        this.sender = new Sender(destination);
    }

    OutboundMessage message(String topic, String key) {
        int count = counts.merge(key, 1, Integer::sum);
        String value = key + "#" + count;
        return SentMessage.of(topic, key, value, value.getBytes(StandardCharsets.UTF_8));
    }

    /** The same event again, to another topic. */
    static OutboundMessage redirected(OutboundMessage message, String topic) {
        return new OutboundMessage(message.event(), topic, message.key(), message.value(), message.headers());
    }

    List<OutboundMessage> messages(String topic, int count, int keys) {
        List<OutboundMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(message(topic, "k" + i % keys));
        }
        return messages;
    }

    List<Delivery> publish(OutboundMessage... batch) {
        return outcomes(send(List.of(batch)));
    }

    CompletionStage<List<Delivery>> send(List<OutboundMessage> batch) {
        return sender.publish(batch);
    }

    /** As a relay that has taken in nothing since it last published. */
    CompletionStage<List<Delivery>> sendUnseeing(List<OutboundMessage> batch) {
        return sender.publishUnseeing(batch);
    }

    /** Publishes everything in batches without waiting in between. */
    List<CompletionStage<List<Delivery>>> publishInBatchesOf(int size, List<OutboundMessage> messages) {
        List<CompletionStage<List<Delivery>>> stages = new ArrayList<>();
        for (int from = 0; from < messages.size(); from += size) {
            stages.add(send(messages.subList(from, Math.min(messages.size(), from + size))));
        }
        return stages;
    }

    static List<Delivery> outcomes(CompletionStage<List<Delivery>> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("A publish did not complete, or failed, which a destination never does.", e);
        }
    }

    static List<Delivery> outcomes(List<CompletionStage<List<Delivery>>> stages) {
        List<Delivery> all = new ArrayList<>();
        for (CompletionStage<List<Delivery>> stage : stages) {
            all.addAll(outcomes(stage));
        }
        return all;
    }

    /** Number of outcomes of each kind, which a failed test prints instead of thousands of outcomes. */
    static Map<String, Long> tally(List<Delivery> outcomes) {
        return outcomes.stream()
                .collect(Collectors.groupingBy(
                        outcome -> outcome.getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
    }

    static Map<String, List<String>> valuesByKey(List<Received> received) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (Received message : received) {
            byte[] key = Objects.requireNonNull(message.key(), "a message arrived without its key");
            values.computeIfAbsent(text(key), k -> new ArrayList<>()).add(text(message.value()));
        }
        return values;
    }

    static Map<String, List<String>> sentByKey(List<OutboundMessage> sent) {
        return valuesByKey(sent.stream()
                .map(message -> new Received(message.key(), message.value(), message.headers()))
                .toList());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
