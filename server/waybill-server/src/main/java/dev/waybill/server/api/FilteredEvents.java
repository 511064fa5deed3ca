package dev.waybill.server.api;

import dev.waybill.RelayName;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.Counted;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds parked events by what their list does not tell: aggregate, key and time. */
record FilteredEvents(StoreAdmin admin, RelayName relay, EventFilter filter) {
    /** So few are looked at one by one: not every filter has an index, and the list of all events may be long. */
    private static final int FEW = 200;

    private static final int PAGES = Failures.MOST / EventQuery.LARGEST_PAGE;

    /**
     * Events that matched.
     *
     * @param looked among which events they were looked for, if not among all
     */
    record Found(List<ParkedEvent> events, Optional<String> looked) {}

    static Found all(List<ParkedEvent> events) {
        return new Found(events, Optional.empty());
    }

    static FilteredEvents of(StoreAdmin admin, RelayName relay, EventFilter filter) {
        return new FilteredEvents(admin, relay, filter);
    }

    /** @param parked all in the same state */
    Found among(List<ParkedEvent> parked) {
        if (parked.isEmpty()) {
            return all(parked);
        }
        return parked.size() <= FEW && filter.key().isEmpty() && mayReadAggregates(parked.get(0))
                ? all(parked.stream().filter(this::matches).toList())
                : listed(parked);
    }

    private boolean mayReadAggregates(ParkedEvent one) {
        return filter.aggregateId().isEmpty()
                || admin.show(one.eventId())
                        .map(event -> event.aggregateId().isPresent())
                        .orElse(true);
    }

    private boolean matches(ParkedEvent parked) {
        return admin.show(parked.eventId())
                .filter(event -> filter.admits(
                        event.type(), event.aggregateType(), event.aggregateId().orElse(""), "", event.createdAt()))
                .isPresent();
    }

    private Found listed(List<ParkedEvent> parked) {
        EventHistory.State state =
                parked.get(0).state() == ParkedState.DEAD ? EventHistory.State.DEAD : EventHistory.State.PARKED;
        EventQuery query = EventQuery.of(filter).in(relay, state).atMost(EventQuery.LARGEST_PAGE);
        Set<String> ids = new HashSet<>();
        long lookedAt = 0;
        boolean more = true;
        for (int page = 0; page < PAGES && more; page++) {
            EventListing listing = admin.events(query);
            listing.events().forEach(event -> ids.add(event.id()));
            lookedAt += listing.lookedAt();
            more = listing.next().isPresent();
            query = listing.next().map(query::after).orElse(query);
        }
        return new Found(
                parked.stream().filter(event -> ids.contains(event.eventId())).toList(),
                more ? Optional.of("the newest " + Counted.of(lookedAt, "event")) : Optional.empty());
    }
}
