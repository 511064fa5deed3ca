package dev.waybill.admin;

/**
 * What discarding would do.
 *
 * @param found how many of the events are there to discard
 * @param exact false when there are more, and counting them stopped there
 * @param locked how many of them somebody has locked: unless they are free soon, they would be left out
 */
public record DiscardPreview(int found, boolean exact, int locked) {
    /** Of a store in which nobody locks events. */
    public DiscardPreview(int found, boolean exact) {
        this(found, exact, 0);
    }
}
