package dev.waybill.jdbc.layout;

/**
 * What a database calls the types of a layout's columns.
 *
 * @param json for headers, and for payloads that are kept as they came
 * @param jsonb for payloads that the database may rewrite
 * @param document for payloads that are kept as text
 * @param local a time of the layout's zone
 * @param instant a time with its own zone
 */
record ColumnTypes(
        String uuid,
        String json,
        String jsonb,
        String document,
        String bytes,
        String error,
        String local,
        String instant) {}
