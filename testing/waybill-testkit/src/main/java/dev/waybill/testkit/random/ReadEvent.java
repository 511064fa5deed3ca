package dev.waybill.testkit.random;

import java.util.UUID;

/**
 * An event as a reader received it.
 *
 * @param n the key's counter, which the writers raise by one with every event
 */
public record ReadEvent(UUID id, String key, long n) {}
