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
    EXACT_JSON
}
