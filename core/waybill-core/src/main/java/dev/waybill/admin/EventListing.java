package dev.waybill.admin;

import java.util.List;
import java.util.Optional;

/**
 * A page of events, newest first: by the order of appending where the store numbers its events, by their time of creation where
 * only that is indexed, and by id where not even that is.
 *
 * <p>A page may be short, even empty, and not be the last: a store looks through a bounded number of events for one page, as
 * there is no index for every filter. Go on with {@link #next} until there is none.
 *
 * @param next for {@link EventQuery#after}; nothing when this was the last page
 * @param lookedAt how many events were looked at for this page, at most
 */
public record EventListing(List<EventSummary> events, Optional<String> next, long lookedAt) {}
