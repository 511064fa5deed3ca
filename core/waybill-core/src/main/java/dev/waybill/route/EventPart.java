package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import org.jspecify.annotations.Nullable;

/** Parts of an event that a topic name can contain. */
enum EventPart {
    TYPE("type", "type") {
        @Override
        Utf8 of(StoredEvent event) {
            return event.type();
        }
    },
    AGGREGATE_TYPE("aggregateType", "aggregate type") {
        @Override
        Utf8 of(StoredEvent event) {
            return event.aggregateType();
        }
    },
    AGGREGATE_ID("aggregateId", "aggregate id") {
        @Override
        Utf8 of(StoredEvent event) {
            return event.aggregateId();
        }
    },
    STORED_TOPIC("topic", "stored topic") {
        @Override
        @Nullable Utf8 of(StoredEvent event) {
            return event.topic();
        }
    };

    /** Name of the placeholder, without braces. */
    final String placeholder;

    final String words;

    EventPart(String placeholder, String words) {
        this.placeholder = placeholder;
        this.words = words;
    }

    abstract @Nullable Utf8 of(StoredEvent event);

    Utf8 required(StoredEvent event) {
        Utf8 text = of(event);
        if (text == null || text.length() == 0) {
            throw new RouteException("Event " + event.id() + " of type " + event.type() + " has no " + words
                    + ", which the relay's route needs for the topic: append events with one, or use another route (by"
                    + " type, a fixed topic or a template).");
        }
        return text;
    }
}
