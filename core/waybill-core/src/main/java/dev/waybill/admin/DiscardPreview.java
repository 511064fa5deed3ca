package dev.waybill.admin;

/**
 * The effect that discarding would have.
 *
 * @param found number of events that would be discarded
 * @param exact false if counting stopped there and there may be more
 */
public record DiscardPreview(int found, boolean exact) {}
