package dev.waybill.server.operation;

/**
 * A change that somebody was shown and may confirm.
 *
 * @param total how many events or letters it changes: exactly these, and none that fails later. Of a replay, how many were counted
 * @param confirm what must be typed to confirm it; empty if nothing
 * @param reasonRequired whether it cannot be undone
 */
public record Prepared(Target target, long total, String confirm, boolean reasonRequired, Work work) {}
