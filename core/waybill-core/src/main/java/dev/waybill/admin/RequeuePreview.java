package dev.waybill.admin;

/**
 * The effect that requeueing would have.
 *
 * @param found number of events that would be requeued
 * @param late how many of them are dead and did not hold their key: later events of their keys may have been published
 *     already, so they would arrive late
 * @param exact false if counting stopped there and there may be more
 */
public record RequeuePreview(int found, int late, boolean exact) {}
