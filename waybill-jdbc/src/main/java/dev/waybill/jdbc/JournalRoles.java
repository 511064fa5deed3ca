package dev.waybill.jdbc;

import java.util.Optional;

/**
 * Existing database roles and what they may do, no more.
 *
 * @param producer may insert events, and nothing else
 * @param relay may read events, keep positions and parked events, and delete what retention allows
 * @param viewer may look at everything except payloads, headers, keys and ids of aggregates
 * @param operator may look like a viewer and select by key, and through functions that write the audit: requeue, discard,
 *     pause, resume, drop, restore and replay
 * @param revealer may have payloads shown, each with an entry in the audit; for a role that is a viewer or operator as well
 */
public record JournalRoles(
        Optional<String> producer,
        Optional<String> relay,
        Optional<String> viewer,
        Optional<String> operator,
        Optional<String> revealer) {
    public static final JournalRoles NONE =
            new JournalRoles(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public JournalRoles producer(String role) {
        return new JournalRoles(Optional.of(role), relay, viewer, operator, revealer);
    }

    public JournalRoles relay(String role) {
        return new JournalRoles(producer, Optional.of(role), viewer, operator, revealer);
    }

    public JournalRoles viewer(String role) {
        return new JournalRoles(producer, relay, Optional.of(role), operator, revealer);
    }

    public JournalRoles operator(String role) {
        return new JournalRoles(producer, relay, viewer, Optional.of(role), revealer);
    }

    public JournalRoles revealer(String role) {
        return new JournalRoles(producer, relay, viewer, operator, Optional.of(role));
    }
}
