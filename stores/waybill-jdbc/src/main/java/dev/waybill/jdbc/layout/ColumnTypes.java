package dev.waybill.jdbc.layout;

/**
 * A database's names for the types of a layout's columns.
 *
 * @param json for headers, and for payloads that are kept unchanged
 * @param jsonb for payloads that the database may rewrite
 * @param document for payloads kept as text
 * @param local a local time in the layout's zone
 * @param instant a time with a zone
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
