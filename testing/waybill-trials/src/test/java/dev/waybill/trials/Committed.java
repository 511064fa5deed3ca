package dev.waybill.trials;

/**
 * What the database has of an event.
 *
 * @param key the aggregate
 * @param revision counts the changes of the aggregate
 */
record Committed(String key, long revision) {}
