package dev.waybill.admin;

import java.util.List;
import java.util.Optional;

/**
 * A page of events, newest first: in append order if the store numbers its events, otherwise by creation time if that is
 * indexed, otherwise by id.
 *
 * <p>A page can be short or empty without being the last, because a store scans a bounded number of events for one page: not
 * every filter has an index. Continue with {@link #next} until it is empty.
 *
 * @param next for {@link EventQuery#after}; empty for the last page
 * @param lookedAt maximum number of events scanned for this page
 */
public record EventListing(List<EventSummary> events, Optional<String> next, long lookedAt) {}
