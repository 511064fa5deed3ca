package dev.waybill.admin;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parked and dead events of a relay, as selected by an operator. */
public sealed interface Selection {

    /**
     * Events by id. Duplicates and unknown ids are ignored.
     *
     * @param onlyIn only those that are still in this state when they are changed: somebody else may have changed them
     * @param askedFor the selection that they were found by, for the audit; empty if they were given by id
     */
    record Ids(List<String> ids, Optional<ParkedState> onlyIn, String askedFor) implements Selection {
        public Ids {
            ids = List.copyOf(new LinkedHashSet<>(ids));
        }
    }

    /**
     * All events in a state that match a filter.
     *
     * @param state required, so that waiting events are not selected by accident
     * @param error part of the last error, case-sensitive
     */
    record Matching(ParkedState state, EventFilter filter, Optional<String> error) implements Selection {}

    static Selection of(String... eventIds) {
        return of(List.of(eventIds));
    }

    static Selection of(Collection<String> eventIds) {
        return new Ids(List.copyOf(eventIds), Optional.empty(), "");
    }

    static Selection of(Collection<String> eventIds, ParkedState onlyIn) {
        return new Ids(List.copyOf(eventIds), Optional.of(onlyIn), "");
    }

    static Matching all(ParkedState state) {
        return new Matching(state, EventFilter.ALL, Optional.empty());
    }

    /** The state that events must be in to be selected; empty for any. */
    default Optional<ParkedState> requiredState() {
        return this instanceof Matching matching
                ? Optional.of(matching.state())
                : this instanceof Ids some ? some.onlyIn() : Optional.empty();
    }

    /** For the audit and for the confirmation prompt. */
    default String inWords() {
        if (this instanceof Matching matching) {
            String filter = matching.filter().inWords();
            return "all " + matching.state().name().toLowerCase(Locale.ROOT)
                    + (filter.isEmpty() ? "" : ", " + filter)
                    + matching.error()
                            .map(part -> ", error contains " + ChangedEvents.quoted(part))
                            .orElse("");
        }
        return this instanceof Ids some ? ChangedEvents.list(some.ids()) : "";
    }
}
