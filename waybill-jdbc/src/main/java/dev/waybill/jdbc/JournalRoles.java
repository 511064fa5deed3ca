package dev.waybill.jdbc;

import java.util.Optional;

/**
 * Existing database roles and what they may do, no more.
 *
 * @param producer may insert events, and nothing else
 * @param relay may read events, keep positions and parked events, and delete what retention allows
 * @param viewer may read everything
 * @param operator may read everything, requeue, discard, pause, resume and drop
 */
public record JournalRoles(
        Optional<String> producer, Optional<String> relay, Optional<String> viewer, Optional<String> operator) {
    public static final JournalRoles NONE =
            new JournalRoles(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public JournalRoles producer(String role) {
        return new JournalRoles(Optional.of(role), relay, viewer, operator);
    }

    public JournalRoles relay(String role) {
        return new JournalRoles(producer, Optional.of(role), viewer, operator);
    }

    public JournalRoles viewer(String role) {
        return new JournalRoles(producer, relay, Optional.of(role), operator);
    }

    public JournalRoles operator(String role) {
        return new JournalRoles(producer, relay, viewer, Optional.of(role));
    }
}
