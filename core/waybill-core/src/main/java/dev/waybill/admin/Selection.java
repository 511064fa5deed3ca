package dev.waybill.admin;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which parked and dead events of a relay a person means. */
public sealed interface Selection {

    /** These, each once; whatever else is named is passed over. */
    record Ids(List<String> ids) implements Selection {
        public Ids {
            ids = List.copyOf(new LinkedHashSet<>(ids));
        }
    }

    /**
     * All that stand so and match.
     *
     * @param state has to be said, so that nobody means what waits without knowing
     * @param error part of the error it failed with, case included
     */
    record Matching(ParkedState state, EventFilter filter, Optional<String> error) implements Selection {}

    static Selection of(String... eventIds) {
        return new Ids(List.of(eventIds));
    }

    static Selection of(Collection<String> eventIds) {
        return new Ids(List.copyOf(eventIds));
    }

    static Matching all(ParkedState state) {
        return new Matching(state, EventFilter.ALL, Optional.empty());
    }

    /** For the audit and for a person who is asked whether this is meant. */
    default String inWords() {
        if (this instanceof Matching matching) {
            String filter = matching.filter().inWords();
            return "all " + matching.state().name().toLowerCase(Locale.ROOT)
                    + (filter.isEmpty() ? "" : ", " + filter)
                    + matching.error()
                            .map(part -> ", error contains \"" + part + "\"")
                            .orElse("");
        }
        return this instanceof Ids some ? String.join(", ", some.ids()) : "";
    }
}
