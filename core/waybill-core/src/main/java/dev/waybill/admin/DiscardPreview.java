package dev.waybill.admin;

/**
 * What discarding would do.
 *
 * @param found how many of the events are there to discard
 * @param exact false when there are more, and counting them stopped there
 */
public record DiscardPreview(int found, boolean exact) {}
