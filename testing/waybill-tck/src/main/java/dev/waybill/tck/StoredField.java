package dev.waybill.tck;

/** What a store may keep of an event, besides id, type, aggregate id and JSON payload, which every store does. */
public enum StoredField {
    VERSION,
    AGGREGATE_TYPE,
    AGGREGATE_VERSION,
    TOPIC,
    KEY,
    HEADERS,
    /** Aggregate ids of any text; where not, {@link StoreHarness#aggregateId} makes ids of the store's form. */
    TEXT_AGGREGATE_ID,
    /** Names and keys as long as an event may have them. */
    LONGEST_TEXTS,
    /** Payloads that are not JSON. */
    BINARY_PAYLOAD,
    /** JSON comes back byte for byte; where not, the database prints it anew. */
    EXACT_JSON
}
