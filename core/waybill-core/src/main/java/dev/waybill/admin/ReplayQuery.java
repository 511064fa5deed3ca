package dev.waybill.admin;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Selects the events to send again: those that match all given conditions.
 *
 * @param from created at this time or later, in whole microseconds as databases keep them
 * @param until created before this time
 * @param type of this type
 * @param aggregateType of aggregates of this type
 * @param aggregateId of the aggregate with this id
 */
public record ReplayQuery(
        Optional<Instant> from,
        Optional<Instant> until,
        Optional<String> type,
        Optional<String> aggregateType,
        Optional<String> aggregateId) {
    public static final ReplayQuery EVERYTHING =
            new ReplayQuery(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public ReplayQuery {
        from = from.map(ReplayQuery::wholeMicros);
        until = until.map(ReplayQuery::wholeMicros);
        if (from.isPresent() && until.isPresent() && !from.get().isBefore(until.get())) {
            throw new IllegalArgumentException("The time range from " + from.get() + " until " + until.get()
                    + " is empty: the end must be after the start.");
        }
    }

    /** Rounds up: the same events are before the rounded time, because databases store microseconds. */
    private static Instant wholeMicros(Instant time) {
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        return micros.equals(time) ? micros : micros.plus(1, ChronoUnit.MICROS);
    }

    public ReplayQuery from(Instant time) {
        return new ReplayQuery(Optional.of(time), until, type, aggregateType, aggregateId);
    }

    public ReplayQuery until(Instant time) {
        return new ReplayQuery(from, Optional.of(time), type, aggregateType, aggregateId);
    }

    public ReplayQuery type(String name) {
        return new ReplayQuery(from, until, Optional.of(name), aggregateType, aggregateId);
    }

    public ReplayQuery aggregateType(String name) {
        return new ReplayQuery(from, until, type, Optional.of(name), aggregateId);
    }

    public ReplayQuery aggregateId(String id) {
        return new ReplayQuery(from, until, type, aggregateType, Optional.of(id));
    }

    public boolean matches(StoredEvent event) {
        return from.map(time -> !event.createdAt().isBefore(time)).orElse(true)
                && until.map(time -> event.createdAt().isBefore(time)).orElse(true)
                && is(type, event.type())
                && is(aggregateType, event.aggregateType())
                && is(aggregateId, event.aggregateId());
    }

    private static boolean is(Optional<String> wanted, Utf8 text) {
        return wanted.isEmpty() || wanted.get().equals(text.toString());
    }

    /** For the audit, which is readable only by those who may read events. Includes the aggregate's id. */
    public String inWords() {
        return words(aggregateId);
    }

    /** Without the aggregate's id, which may be personal data. */
    @Override
    public String toString() {
        return "ReplayQuery[" + words(aggregateId.map(id -> "(not shown)")) + "]";
    }

    private String words(Optional<String> id) {
        List<String> words = new ArrayList<>();
        from.ifPresent(time -> words.add("from " + time));
        until.ifPresent(time -> words.add("until " + time));
        type.ifPresent(name -> words.add("type " + name));
        aggregateType.ifPresent(name -> words.add("aggregate type " + name));
        id.ifPresent(text -> words.add("aggregate id " + text));
        return words.isEmpty() ? "everything" : String.join(", ", words);
    }
}
