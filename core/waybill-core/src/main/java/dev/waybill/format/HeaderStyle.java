package dev.waybill.format;

import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Which headers a message has about its event, and their names. */
public enum HeaderStyle {
    /** The names of {@link HeaderNames}: {@code event-id}, {@code event-type} and {@code content-type}. */
    HYPHENS {
        @Override
        List<Header> about(StoredEvent event, String contentType) {
            Header id = new Header(HeaderNames.EVENT_ID, event.id().bytes());
            Header type = new Header(HeaderNames.EVENT_TYPE, event.type().bytes());
            return List.of(id, type, isJson(contentType) ? JSON : text(HeaderNames.CONTENT_TYPE, contentType));
        }
    },

    /**
     * The usual names of attributes on Google Pub/Sub: {@code event_id}, {@code event_type}, {@code aggregate_type}, {@code
     * aggregate_id} and {@code created_at}. For a body that is not JSON, also {@code content_type}.
     */
    ATTRIBUTES {
        @Override
        List<Header> about(StoredEvent event, String contentType) {
            Header id = new Header("event_id", event.id().bytes());
            Header type = new Header("event_type", event.type().bytes());
            Header aggregateType =
                    new Header("aggregate_type", event.aggregateType().bytes());
            Header aggregateId = new Header("aggregate_id", event.aggregateId().bytes());
            Header createdAt = new Header("created_at", IsoTime.of(event.createdAt()));
            return isJson(contentType)
                    ? List.of(id, type, aggregateType, aggregateId, createdAt)
                    : List.of(id, type, aggregateType, aggregateId, createdAt, text("content_type", contentType));
        }
    },

    /** The one header of Debezium's outbox event router with its default settings: {@code id}. */
    DEBEZIUM {
        @Override
        List<Header> about(StoredEvent event, String contentType) {
            return List.of(new Header("id", event.id().bytes()));
        }
    },

    /** The same with {@code eventType}, which the router adds if it is set to place the type in a header of that name. */
    DEBEZIUM_WITH_TYPE {
        @Override
        List<Header> about(StoredEvent event, String contentType) {
            Header id = new Header("id", event.id().bytes());
            return List.of(id, new Header("eventType", event.type().bytes()));
        }
    };

    private static final Header JSON = text(HeaderNames.CONTENT_TYPE, StoredJson.CONTENT_TYPE);

    abstract List<Header> about(StoredEvent event, String contentType);

    private static boolean isJson(String contentType) {
        return StoredJson.CONTENT_TYPE.equals(contentType);
    }

    private static Header text(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
