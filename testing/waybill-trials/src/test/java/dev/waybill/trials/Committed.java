package dev.waybill.trials;

/**
 * An event as stored in the database.
 *
 * @param key the aggregate
 * @param revision counts the changes of the aggregate
 */
record Committed(String key, long revision) {}
