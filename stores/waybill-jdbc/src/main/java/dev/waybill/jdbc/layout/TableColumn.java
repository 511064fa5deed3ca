package dev.waybill.jdbc.layout;

import java.util.Locale;

/** Purposes of the columns of an outbox table. A {@link TableLayout} defines which of them a table has, and their names. */
public enum TableColumn {
    /** The event's id. Every layout has it. */
    ID,
    /** The event's type. Every layout has it. */
    TYPE,
    /** The aggregate's id. Every layout has it. */
    AGGREGATE_ID,
    /** The payload. Every layout has it. */
    PAYLOAD,
    /** When the event was appended. Every layout has it unless it deletes published rows. */
    CREATED_AT,
    /** A unique number in the order of inserts, assigned by the database and indexed. */
    SEQUENCE,
    /** The version of the event's type. */
    VERSION,
    AGGREGATE_TYPE,
    AGGREGATE_VERSION,
    TOPIC,
    KEY,
    /** Headers as a JSON object of strings. */
    HEADERS,
    /** Payloads that are not JSON, if the payload column accepts only JSON. */
    PAYLOAD_BYTES,
    /** The content type of a payload that is not JSON; null means JSON. */
    CONTENT_TYPE,
    /** The state according to {@link TableState}, unless it is the published time. */
    STATE,
    PUBLISHED_AT,
    /** Failed attempts. */
    ATTEMPTS,
    NEXT_ATTEMPT_AT,
    ERROR,
    ERROR_AT,
    LOCKED_BY,
    LOCKED_UNTIL;

    /** Its name in messages. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
