package dev.waybill.admin;

import java.util.List;

/**
 * The effect that discarding would have.
 *
 * @param events exactly those that would be discarded, in the order of the store
 * @param exact false if the search stopped there and there may be more
 */
public record DiscardPreview(List<SelectedEvent> events, boolean exact) {
    public static final DiscardPreview NONE = new DiscardPreview(List.of(), true);

    public DiscardPreview {
        events = List.copyOf(events);
    }

    /** Number of events that would be discarded. */
    public int found() {
        return events.size();
    }
}
