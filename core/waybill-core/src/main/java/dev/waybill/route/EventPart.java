package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import org.jspecify.annotations.Nullable;

/** The parts of an event a topic's name can be made of. */
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

    /** As it stands between braces. */
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
                    + ", which its topic is to be made of: append it with one, or give the relay another route (by"
                    + " type, a fixed topic or a template).");
        }
        return text;
    }
}
