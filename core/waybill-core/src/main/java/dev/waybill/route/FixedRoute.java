package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import java.util.Optional;

/** Routes all events to one topic. */
record FixedRoute(String topic) implements Route {

    @Override
    public Address addressOf(StoredEvent event) {
        return new Address(topic, MessageKey.of(event));
    }

    @Override
    public Optional<String> topicOf(String type, String aggregateType) {
        return Optional.of(topic);
    }

    @Override
    public String toString() {
        return "fixed topic " + topic;
    }
}
