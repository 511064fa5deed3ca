package dev.waybill.admin;

/**
 * Number of events.
 *
 * @param exact false if counting stopped there and there may be more
 */
public record ReplaySize(long events, boolean exact) {
    public static final ReplaySize NONE = new ReplaySize(0, true);

    @Override
    public String toString() {
        return exact ? Long.toString(events) : "at least " + events;
    }
}
