package dev.waybill.mongodb;

import com.mongodb.client.model.Sorts;
import org.bson.conversions.Bson;

/** Names of the fields of a record. */
final class Field {
    static final String ID = "_id";
    static final String EVENT_ID = "event_id";
    static final String EVENT_TYPE = "event_type";
    static final String ENTITY_TYPE = "entity_type";
    static final String ENTITY_ID = "entity_id";
    static final String ENTITY_VERSION = "entity_version";
    static final String TOPIC = "topic";
    static final String PARTITION_KEY = "partition_key";
    static final String PAYLOAD = "payload";
    static final String STATUS = "status";
    static final String RETRY_COUNT = "retry_count";
    static final String MAX_RETRIES = "max_retries";
    static final String LAST_ERROR = "last_error";
    static final String LAST_ERROR_AT = "last_error_at";
    static final String CREATED_AT = "created_at";
    static final String PROCESSING_STARTED_AT = "processing_started_at";
    static final String PUBLISHED_AT = "published_at";
    static final String LOCKED_BY = "locked_by";
    static final String LOCKED_UNTIL = "locked_until";

    /** The server's logical time of the append, which is unique; orders records with the same time and version. */
    static final String APPENDED_AT = "appended_at";

    /** Only on events that have them. */
    static final String EVENT_VERSION = "event_version";

    static final String CONTENT_TYPE = "content_type";
    static final String HEADERS = "headers";
    /** Set when the application chose a key that equals the entity's id. */
    static final String OWN_KEY = "own_key";

    /** State of a record that waits for its retry or is dead; otherwise absent. */
    static final String WAYBILL = "waybill";

    static final String NEXT_ATTEMPT_AT = WAYBILL + ".next_attempt_at";
    /** One of the following; absent when no relay has failed to publish the record. */
    static final String STATE = WAYBILL + ".state";

    /** Waits for its retry, or is being retried. */
    static final String RETRY = "retry";

    static final String DEAD = "dead";
    /** Dead, and later records of its key wait for it. */
    static final String HOLDING = "holding";

    static final String DISCARDED = "discarded";

    static final String PENDING = "pending";
    static final String PROCESSING = "processing";
    static final String PUBLISHED = "published";
    static final String FAILED = "failed";

    static final int DEFAULT_MAX_RETRIES = 5;

    private Field() {}

    /** The order within a key; {@link OutboxRecord#POSITION} is the same in Java. */
    static Bson inOrder() {
        return Sorts.ascending(CREATED_AT, ENTITY_VERSION, APPENDED_AT, ID);
    }
}
