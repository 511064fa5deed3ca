package dev.waybill.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Status of a relay.
 *
 * @param lease the process that runs it, if any; of several competing ones, the one that renewed its lease last
 * @param paused whether an operator paused it
 * @param backlog events not published yet, without parked ones
 * @param backlogExact whether the backlog was counted (up to {@value #COUNTED}) or estimated
 * @param oldestPending age of the oldest event of the backlog
 * @param oldestParked age of the oldest parked event, by its creation; if events that wait behind another have no mark of their
 *     own, of those among the first {@value #COUNTED} pending ones. Empty if no creation time is known
 * @param parked events that wait for a retry, or behind one; a lower bound above {@value #COUNTED}
 * @param dead events that wait for an operator; a lower bound above {@value #COUNTED}
 * @param publishedPerSecond over the last minute, if the store knows it without counting events
 * @param unattended how long no process has run it; empty while one does, or if unknown
 * @param hidden rows of an outbox table that no relay finds, because a column of the search condition is null; rows without a
 *     state are in no other count. A lower bound above {@value #COUNTED}; empty if counting takes too long
 * @param committed the position that its destination has committed together with the messages, as far as the store knows; empty
 *     if the relay saves its position itself
 */
public record RelayStatus(
        String name,
        Optional<Lease> lease,
        boolean paused,
        long backlog,
        boolean backlogExact,
        Optional<Duration> oldestPending,
        Optional<Duration> oldestParked,
        long parked,
        long dead,
        OptionalDouble publishedPerSecond,
        Optional<Duration> unattended,
        OptionalLong hidden,
        Optional<String> committed) {

    /** Up to this number, events are counted and not estimated. */
    public static final int COUNTED = 10_000;

    /** A relay that no process has run for this long counts as {@link #abandoned}. */
    public static final Duration ABANDONED_AFTER = Duration.ofDays(1);

    /** The process that runs a relay, and when its lease expires unless renewed. */
    public record Lease(String owner, long epoch, Instant until) {}

    /** Age of the oldest event that is not published, whether it is pending or parked; dead events do not count. */
    public Optional<Duration> oldest() {
        return Stream.of(oldestPending, oldestParked).flatMap(Optional::stream).max(Comparator.naturalOrder());
    }

    /** Whether no process has run it for a long time. It keeps retention from deleting events, so run it or drop it. */
    public boolean abandoned() {
        return unattended.filter(time -> time.compareTo(ABANDONED_AFTER) >= 0).isPresent();
    }
}
