package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.Optional;

/** Creates the name of a topic from an event, as bytes. */
interface TopicName {
    Utf8 of(StoredEvent event);

    /** The name for all events of a type and an aggregate type; empty if it depends on other properties. */
    Optional<String> of(String type, String aggregateType);

    static TopicName part(EventPart part) {
        return new Part(part);
    }

    record Part(EventPart part) implements TopicName {
        @Override
        public Utf8 of(StoredEvent event) {
            return part.required(event);
        }

        @Override
        public Optional<String> of(String type, String aggregateType) {
            return switch (part) {
                case TYPE -> Optional.of(type);
                case AGGREGATE_TYPE -> Optional.of(aggregateType);
                case AGGREGATE_ID, STORED_TOPIC -> Optional.empty();
            };
        }
    }

    record Literal(Utf8 text) implements TopicName {
        @Override
        public Utf8 of(StoredEvent event) {
            return text;
        }

        @Override
        public Optional<String> of(String type, String aggregateType) {
            return Optional.of(text.toString());
        }
    }
}
