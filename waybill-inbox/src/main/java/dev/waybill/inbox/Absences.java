package dev.waybill.inbox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is away now, by the types of the events that need it. While it is, events of such a type wait; when the wait is over one
 * of them is tried, and the others go on waiting until that one says how it went. Safe for many threads.
 */
final class Absences {
    private final Waits waits;
    private final Map<String, Absence> absences = new TreeMap<>();
    private final Map<String, Long> handled = new HashMap<>();

    Absences(Waits waits) {
        this.waits = waits;
    }

    private static final class Absence {
        private int times;
        private Instant until = Instant.MIN;
        private boolean trying;
        private String reason = "";
    }

    /**
     * @return when events of this type may be handled again; nothing when they may now
     */
    synchronized Optional<Instant> waitsUntil(String type, Instant now) {
        return Optional.ofNullable(absences.get(type))
                .map(absence -> absence.until)
                .filter(now::isBefore);
    }

    /**
     * An event of this type is about to be handled. Every one that may be is to be {@link #ended}.
     *
     * @return nothing when it may be; or else when to ask again
     */
    synchronized Optional<Instant> enter(String type, Instant now) {
        Absence absence = absences.get(type);
        if (absence == null) {
            return Optional.empty();
        }
        if (now.isBefore(absence.until)) {
            return Optional.of(absence.until);
        }
        if (absence.trying) {
            return Optional.of(now.plus(waits.firstAway()));
        }
        absence.trying = true;
        return Optional.empty();
    }

    /**
     * Found away; by several at once this counts as one time.
     *
     * @return how long to wait
     */
    synchronized Duration away(String type, Instant now, String reason) {
        Absence absence = absences.computeIfAbsent(type, key -> new Absence());
        if (absence.trying || !now.isBefore(absence.until)) {
            absence.times++;
            absence.until = now.plus(waits.away(absence.times));
            absence.trying = false;
            absence.reason = reason;
        }
        return Duration.between(now, absence.until);
    }

    /** Whatever events of this type need is there: one got through. */
    synchronized void present(String type) {
        absences.remove(type);
        handled.merge(type, 1L, Long::sum);
    }

    /** How many events of this type got through. */
    synchronized long handled(String type) {
        return handled.getOrDefault(type, 0L);
    }

    /** It is no longer tried, and nothing is known of how it went. */
    synchronized void ended(String type) {
        Absence absence = absences.get(type);
        if (absence != null) {
            absence.trying = false;
        }
    }

    /** What is away, in words; nothing when all is there. */
    synchronized Optional<String> describe() {
        return absences.values().stream().findFirst().map(absence -> absence.reason);
    }
}
