package dev.waybill.tck;

/** Optional fields of an event; every store keeps id, type, aggregate id and JSON payload. */
public enum StoredField {
    VERSION,
    AGGREGATE_TYPE,
    AGGREGATE_VERSION,
    TOPIC,
    KEY,
    HEADERS,
    /** Any text as an aggregate id; otherwise {@link StoreHarness#aggregateId} creates ids that the store accepts. */
    TEXT_AGGREGATE_ID,
    /** Names and keys of the maximum length. */
    LONGEST_TEXTS,
    /** Payloads that are not JSON. */
    BINARY_PAYLOAD,
    /** JSON is returned byte for byte; otherwise the database reformats it. */
    EXACT_JSON,
    /** The time of the append; otherwise events have the time when they were read, and filters by time are refused. */
    CREATED_AT,
    /** Published and discarded events, until retention deletes them; otherwise they are deleted at once. */
    FINISHED_EVENTS
}
