package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Routes to a topic whose name is created from the event. Decoded names are cached. */
final class TopicRoute implements Route {
    /** Limit of the cache, because a template with the aggregate's id creates any number of names. */
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
