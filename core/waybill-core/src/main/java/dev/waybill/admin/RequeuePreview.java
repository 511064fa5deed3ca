package dev.waybill.admin;

import java.util.List;

/**
 * The effect that requeueing would have.
 *
 * @param events exactly those that would be requeued, in the order of the store
 * @param late how many of them are dead and did not hold their key: those whose key has later events that are published already
 *     would arrive late. How many these are is not counted
 * @param exact false if the search stopped there and there may be more
 */
public record RequeuePreview(List<SelectedEvent> events, int late, boolean exact) {
    public static final RequeuePreview NONE = new RequeuePreview(List.of(), 0, true);

    public RequeuePreview {
        events = List.copyOf(events);
    }

    /** Number of events that would be requeued. */
    public int found() {
        return events.size();
    }
}
