package dev.waybill.admin;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Selects events by their properties; an empty property matches all. Names are case-sensitive.
 *
 * @param key the event's key, or {@code aggregate type:aggregate id} if it has none
 * @param from created at this time or later
 * @param until created before this time
 */
public record EventFilter(
        Optional<String> type,
        Optional<String> aggregateType,
        Optional<String> aggregateId,
        Optional<String> key,
        Optional<Instant> from,
        Optional<Instant> until) {

    public static final EventFilter ALL = new EventFilter(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public EventFilter {
        if (from.isPresent() && until.isPresent() && !from.get().isBefore(until.get())) {
            throw new IllegalArgumentException("The time range from " + from.get() + " until " + until.get()
                    + " is empty: the end must be after the start.");
        }
    }

    public EventFilter type(String type) {
        return new EventFilter(Optional.of(type), aggregateType, aggregateId, key, from, until);
    }

    public EventFilter aggregateType(String aggregateType) {
        return new EventFilter(type, Optional.of(aggregateType), aggregateId, key, from, until);
    }

    public EventFilter aggregateId(String aggregateId) {
        return new EventFilter(type, aggregateType, Optional.of(aggregateId), key, from, until);
    }

    public EventFilter key(String key) {
        return new EventFilter(type, aggregateType, aggregateId, Optional.of(key), from, until);
    }

    public EventFilter from(Instant from) {
        return new EventFilter(type, aggregateType, aggregateId, key, Optional.of(from), until);
    }

    public EventFilter until(Instant until) {
        return new EventFilter(type, aggregateType, aggregateId, key, from, Optional.of(until));
    }

    /**
     * Whether the filter matches an event.
     *
     * @param key the event's key, or {@code aggregate type:aggregate id} if it has none
     */
    public boolean admits(String type, String aggregateType, String aggregateId, String key, Instant createdAt) {
        return is(this.type, type)
                && is(this.aggregateType, aggregateType)
                && is(this.aggregateId, aggregateId)
                && is(this.key, key)
                && from.map(first -> !createdAt.isBefore(first)).orElse(true)
                && until.map(createdAt::isBefore).orElse(true);
    }

    private static boolean is(Optional<String> wanted, String found) {
        return wanted.isEmpty() || wanted.get().equals(found);
    }

    /** For the audit, with ids and keys as the operator gave them. */
    String inWords() {
        List<String> words = new ArrayList<>();
        type.ifPresent(value -> words.add("type " + value));
        aggregateType.ifPresent(value -> words.add("aggregate type " + value));
        aggregateId.ifPresent(value -> words.add("aggregate id " + value));
        key.ifPresent(value -> words.add("key " + value));
        from.ifPresent(value -> words.add("from " + value));
        until.ifPresent(value -> words.add("until " + value));
        return String.join(", ", words);
    }

    /** Without the values that may be personal data. */
    @Override
    public String toString() {
        return "EventFilter[type=" + type + ", aggregateType=" + aggregateType + ", aggregateId="
                + aggregateId.map(value -> "…") + ", key=" + key.map(value -> "…") + ", from=" + from + ", until="
                + until + "]";
    }
}
