package dev.waybill.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a relay stands.
 *
 * @param lease who runs it, if anybody does
 * @param paused whether a person paused it
 * @param backlog events it has still to publish, estimated from above; parked ones not included
 * @param oldest the age of the oldest of them
 * @param parked events that wait for a retry, or behind one
 * @param dead events that wait for a person
 */
public record RelayStatus(
        String name,
        Optional<Lease> lease,
        boolean paused,
        long backlog,
        Optional<Duration> oldest,
        long parked,
        long dead) {

    /** Who runs a relay, and until when if it does not renew. */
    public record Lease(String owner, long epoch, Instant until) {}
}
