package dev.waybill.bench.modulith;

/**
 * The event. Its publication is completed by its content, so that no two may be equal.
 *
 * @param number a different one for each event with the same message
 */
record Changed(String key, String value, long number) {}
