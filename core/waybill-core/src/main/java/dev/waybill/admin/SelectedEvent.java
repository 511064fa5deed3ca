package dev.waybill.admin;

/**
 * A parked or dead event as a preview found it.
 *
 * @param state its state at that time
 */
public record SelectedEvent(String id, ParkedState state) {}
