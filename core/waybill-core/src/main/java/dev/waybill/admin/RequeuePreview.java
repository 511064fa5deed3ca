package dev.waybill.admin;

import java.util.List;

/**
 * The effect that requeueing would have.
 *
 * @param events exactly those that would be requeued, in the order of the store
 * @param late how many of them are dead and did not hold their key: later events of their keys may have been published
 *     already, so they would arrive late
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
