package dev.waybill.pubsub;

import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.PubsubMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The messages in the topics of a {@link PubSubServer}, in the order of arrival. */
final class TopicLog {
    private final Map<String, List<PubsubMessage>> topics = new HashMap<>();
    private final List<Integer> requestSizes = new ArrayList<>();
    private long count;

    synchronized void create(String topic) {
        topics.putIfAbsent(topic, new ArrayList<>());
    }

    synchronized boolean has(String topic) {
        return topics.containsKey(topic);
    }

    /**
     * @return the ids of the messages
     */
    synchronized List<String> add(String topic, List<PubsubMessage> messages) {
        requestSizes.add(messages.size());
        List<String> ids = new ArrayList<>();
        for (PubsubMessage message : messages) {
            String id = String.valueOf(++count);
            topics.get(topic)
                    .add(message.toBuilder()
                            .setMessageId(id)
                            .setPublishTime(Timestamps.now())
                            .build());
            ids.add(id);
        }
        return ids;
    }

    synchronized Optional<PubsubMessage> get(String topic, int position) {
        List<PubsubMessage> all = topics.getOrDefault(topic, List.of());
        return position < all.size() ? Optional.of(all.get(position)) : Optional.empty();
    }

    /** The bodies that the topic holds, as text. */
    synchronized List<String> bodies(String topic) {
        return topics.getOrDefault(topic, List.of()).stream()
                .map(message -> message.getData().toStringUtf8())
                .toList();
    }

    /** How many messages each request had that was taken. */
    synchronized List<Integer> requestSizes() {
        return List.copyOf(requestSizes);
    }
}
