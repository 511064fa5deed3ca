package dev.waybill.mongodb;

import dev.waybill.Event;
import dev.waybill.Payload;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The record of an appended event, without its time, which the server sets. */
final class RecordOfEvent {
    private RecordOfEvent() {}

    static BsonDocument of(Event event, int maxRetries) {
        BsonDocument document = new BsonDocument(Field.EVENT_ID, new BsonString(event.id()))
                .append(Field.EVENT_TYPE, new BsonString(event.type()))
                .append(Field.ENTITY_TYPE, new BsonString(event.aggregateType()))
                .append(Field.ENTITY_ID, new BsonString(event.aggregateId()))
                .append(Field.ENTITY_VERSION, version(event))
                .append(
                        Field.TOPIC,
                        event.topic().<BsonValue>map(BsonString::new).orElse(BsonNull.VALUE))
                .append(Field.PARTITION_KEY, new BsonString(event.key().orElse(event.aggregateId())))
                .append(Field.PAYLOAD, payload(event.payload()))
                .append(Field.STATUS, new BsonString(Field.PENDING))
                .append(Field.RETRY_COUNT, new BsonInt32(0))
                .append(Field.MAX_RETRIES, new BsonInt32(maxRetries))
                .append(Field.LAST_ERROR, BsonNull.VALUE)
                .append(Field.LAST_ERROR_AT, BsonNull.VALUE)
                .append(Field.PROCESSING_STARTED_AT, BsonNull.VALUE)
                .append(Field.PUBLISHED_AT, BsonNull.VALUE)
                .append(Field.LOCKED_BY, BsonNull.VALUE)
                .append(Field.LOCKED_UNTIL, BsonNull.VALUE);
        addWhatIsRare(document, event);
        return document;
    }

    private static void addWhatIsRare(BsonDocument document, Event event) {
        if (event.version() != 1) {
            document.append(Field.EVENT_VERSION, new BsonInt32(event.version()));
        }
        if (event.payload() instanceof Payload.Binary binary) {
            document.append(Field.CONTENT_TYPE, new BsonString(binary.contentType()));
        }
        if (event.key().filter(event.aggregateId()::equals).isPresent()) {
            document.append(Field.OWN_KEY, BsonBoolean.TRUE);
        }
        if (!event.headers().isEmpty()) {
            document.append(Field.HEADERS, headers(event));
        }
    }

    private static BsonValue version(Event event) {
        return event.aggregateVersion().isPresent()
                ? new BsonInt64(event.aggregateVersion().getAsLong())
                : BsonNull.VALUE;
    }

    private static BsonValue payload(Payload payload) {
        if (payload instanceof Payload.Binary binary) {
            return new BsonBinary(binary.bytes());
        }
        return BsonJson.documentOrText(payload.bytes());
    }

    private static BsonValue headers(Event event) {
        BsonDocument headers = new BsonDocument();
        event.headers().forEach((name, value) -> headers.append(name, new BsonString(value)));
        return BsonJson.isStorable(headers, 1) ? headers : new BsonString(BsonJson.write(headers));
    }
}
