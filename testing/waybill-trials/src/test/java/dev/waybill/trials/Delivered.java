package dev.waybill.trials;

import java.time.Instant;
import java.util.UUID;

/**
 * A message in Kafka.
 *
 * @param epoch epoch of the session that published it
 * @param appendedAt time by the broker's clock
 */
record Delivered(UUID eventId, String topic, long epoch, Instant appendedAt) {}
