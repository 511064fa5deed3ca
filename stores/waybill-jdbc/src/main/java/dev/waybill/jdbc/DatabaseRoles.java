package dev.waybill.jdbc;

import java.util.Optional;

/**
 * Existing database roles and their privileges.
 *
 * @param producer may only insert events
 * @param relay may read events, write positions and parked events, and delete events after their retention
 * @param viewer may read everything except payloads, headers, keys and ids of aggregates
 * @param operator may read like a viewer and select by key; and may, through functions that write the audit, requeue, discard,
 *     pause, resume, drop, restore and replay
 * @param revealer may read payloads, each with an audit entry; for a role that is a viewer or operator as well
 */
public record DatabaseRoles(
        Optional<String> producer,
        Optional<String> relay,
        Optional<String> viewer,
        Optional<String> operator,
        Optional<String> revealer) {
    public static final DatabaseRoles NONE =
            new DatabaseRoles(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public DatabaseRoles producer(String role) {
        return new DatabaseRoles(Optional.of(role), relay, viewer, operator, revealer);
    }

    public DatabaseRoles relay(String role) {
        return new DatabaseRoles(producer, Optional.of(role), viewer, operator, revealer);
    }

    public DatabaseRoles viewer(String role) {
        return new DatabaseRoles(producer, relay, Optional.of(role), operator, revealer);
    }

    public DatabaseRoles operator(String role) {
        return new DatabaseRoles(producer, relay, viewer, Optional.of(role), revealer);
    }

    public DatabaseRoles revealer(String role) {
        return new DatabaseRoles(producer, relay, viewer, operator, Optional.of(role));
    }
}
