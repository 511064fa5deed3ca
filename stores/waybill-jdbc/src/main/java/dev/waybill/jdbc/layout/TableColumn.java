package dev.waybill.jdbc.layout;

import java.util.Locale;

/** What a column of an outbox table is for. Which of them a table has, and under which names, its {@link TableLayout} says. */
public enum TableColumn {
    /** The event's id. Every layout has it. */
    ID,
    /** The event's type. Every layout has it. */
    TYPE,
    /** The aggregate's id. Every layout has it. */
    AGGREGATE_ID,
    /** The payload. Every layout has it. */
    PAYLOAD,
    /** When the event was appended. Every layout has it. */
    CREATED_AT,
    /** Numbers rows in the order of their inserts, each with its own number; the database gives it, and it has an index. */
    SEQUENCE,
    /** The version of the event's type. */
    VERSION,
    AGGREGATE_TYPE,
    AGGREGATE_VERSION,
    TOPIC,
    KEY,
    /** Headers as a JSON object of strings. */
    HEADERS,
    /** Payloads that are not JSON, where the payload column takes only that. */
    PAYLOAD_BYTES,
    /** The content type of a payload that is not JSON; null says JSON. */
    CONTENT_TYPE,
    /** What {@link TableState} reads and writes, unless that is the published time. */
    STATE,
    PUBLISHED_AT,
    /** How often the event was sent and failed. */
    ATTEMPTS,
    NEXT_ATTEMPT_AT,
    ERROR,
    ERROR_AT,
    LOCKED_BY,
    LOCKED_UNTIL;

    /** How it is called in messages. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
