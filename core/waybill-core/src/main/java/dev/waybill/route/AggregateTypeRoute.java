package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Routes by aggregate type with a map of topics. An aggregate type without a topic is refused. */
final class AggregateTypeRoute implements Route {
    private final Map<Utf8, String> topics = new HashMap<>();
    private final String known;

    AggregateTypeRoute(Map<String, String> topics) {
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("The route by aggregate type is empty: add at least one aggregate type,"
                    + " such as RESTAURANT with its topic \"notification.restaurant\".");
        }
        topics.forEach((aggregateType, topic) -> {
            if (aggregateType.isBlank() || topic.isBlank()) {
                throw new IllegalArgumentException("The route by aggregate type has \"" + topic
                        + "\" as the topic of the aggregate type \"" + aggregateType + "\": neither may be blank.");
            }
            this.topics.put(Utf8.of(aggregateType), topic);
        });
        this.known = KnownNames.list(topics.keySet());
    }

    @Override
    public Address addressOf(StoredEvent event) {
        String topic = topics.get(event.aggregateType());
        if (topic == null) {
            throw new RouteException(
                    "Event " + event.id() + " of type " + event.type() + " has the aggregate type \""
                            + KnownNames.shortened(event.aggregateType().toString())
                            + "\", for which the relay's route has no topic (it has topics for " + known
                            + "): add the aggregate type with its topic to the route, or correct the row; then requeue the event.");
        }
        return new Address(topic, MessageKey.of(event));
    }

    @Override
    public Optional<String> topicOf(String type, String aggregateType) {
        return Optional.ofNullable(topics.get(Utf8.of(aggregateType)));
    }

    @Override
    public String toString() {
        return "by aggregate type (" + known + ")";
    }
}
