package dev.waybill.admin;

/**
 * How many events.
 *
 * @param exact whether they are so many; else there are at least so many, and nobody counted further
 */
public record ReplaySize(long events, boolean exact) {
    public static final ReplaySize NONE = new ReplaySize(0, true);

    @Override
    public String toString() {
        return exact ? Long.toString(events) : "at least " + events;
    }
}
