package dev.waybill.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a relay stands.
 *
 * @param lease who runs it, if anybody does
 * @param paused whether a person paused it
 * @param backlog events it has still to publish; parked ones not included
 * @param backlogExact whether the backlog was counted, as it is up to {@value #COUNTED}; estimated beyond
 * @param oldest the age of the oldest of them
 * @param parked events that wait for a retry, or behind one; more than {@value #COUNTED} means at least so many
 * @param dead events that wait for a person; more than {@value #COUNTED} means at least so many
 * @param publishedPerSecond over the last minute, where the store can tell without counting events
 * @param unattended how long nobody has run it; nothing while somebody does, or when the store does not know
 * @param hidden rows of an outbox table that no relay sees, since a column by which rows are found is null in them; those
 *     without a state are in no other count. More than {@value #COUNTED} means at least so many; nothing when counting them
 *     takes too long
 */
public record RelayStatus(
        String name,
        Optional<Lease> lease,
        boolean paused,
        long backlog,
        boolean backlogExact,
        Optional<Duration> oldest,
        long parked,
        long dead,
        OptionalDouble publishedPerSecond,
        Optional<Duration> unattended,
        OptionalLong hidden) {

    /** So far events are counted, not estimated. */
    public static final int COUNTED = 10_000;

    /** A relay that nobody has run for so long is taken for forgotten; see {@link #abandoned}. */
    public static final Duration ABANDONED_AFTER = Duration.ofDays(1);

    /** Who runs a relay, and until when if it does not renew. */
    public record Lease(String owner, long epoch, Instant until) {}

    /** Whether nobody has run it for long: it keeps retention from deleting, so run it or drop it. */
    public boolean abandoned() {
        return unattended.filter(time -> time.compareTo(ABANDONED_AFTER) >= 0).isPresent();
    }
}
