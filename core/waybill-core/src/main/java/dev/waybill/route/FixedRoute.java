package dev.waybill.route;

import dev.waybill.spi.StoredEvent;

/** Everything to one topic. */
record FixedRoute(String topic) implements Route {

    @Override
    public Address addressOf(StoredEvent event) {
        return new Address(topic, MessageKey.of(event));
    }

    @Override
    public String toString() {
        return "fixed topic " + topic;
    }
}
