package dev.waybill.admin;

/**
 * Result of one deletion step.
 *
 * @param deleted number of deleted events
 * @param more whether another step could delete more now
 */
public record PurgeStep(int deleted, boolean more) {}
