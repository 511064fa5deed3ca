package dev.waybill.admin;

/**
 * What requeueing would do.
 *
 * @param found how many of the events are there to requeue
 * @param late how many of them are dead and did not hold their key: later events of their keys may have been published
 *     already, so they would arrive late
 * @param exact false when there are more, and counting them stopped there
 */
public record RequeuePreview(int found, int late, boolean exact) {}
