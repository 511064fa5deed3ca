package dev.waybill.admin;

/**
 * What requeueing would do.
 *
 * @param found how many of the events are there to requeue
 * @param late how many of them are dead and did not hold their key: later events of their keys may have been published
 *     already, so they would arrive late
 * @param exact false when there are more, and counting them stopped there
 * @param locked how many of them somebody has locked, or stand behind such a one in their key: unless they are free soon, they
 *     would be left out
 */
public record RequeuePreview(int found, int late, boolean exact, int locked) {
    /** Of a store in which nobody locks events. */
    public RequeuePreview(int found, int late, boolean exact) {
        this(found, late, exact, 0);
    }
}
