package dev.waybill.admin;

/**
 * One step of retention.
 *
 * @param deleted how many events it deleted
 * @param more whether another step could delete more now
 */
public record PurgeStep(int deleted, boolean more) {}
