package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** To a topic whose name is made from the event. Few names serve many events, so a name is decoded once and kept. */
final class TopicRoute implements Route {
    /** A template with the aggregate's id has no end of names; then the oldest are no better kept than the newest. */
    static final int KEPT_NAMES = 4096;

    private final String words;
    private final TopicName name;
    private final ConcurrentMap<Utf8, String> decoded = new ConcurrentHashMap<>();

    TopicRoute(String words, TopicName name) {
        this.words = words;
        this.name = name;
    }

    @Override
    public Address addressOf(StoredEvent event) {
        return new Address(decode(name.of(event)), MessageKey.of(event));
    }

    @Override
    public Optional<String> topicOf(String type, String aggregateType) {
        return name.of(type, aggregateType);
    }

    private String decode(Utf8 topic) {
        String known = decoded.get(topic);
        if (known != null) {
            return known;
        }
        if (decoded.size() >= KEPT_NAMES) {
            decoded.clear();
        }
        String text = topic.toString();
        decoded.put(topic, text);
        return text;
    }

    int keptNames() {
        return decoded.size();
    }

    @Override
    public String toString() {
        return words;
    }
}
