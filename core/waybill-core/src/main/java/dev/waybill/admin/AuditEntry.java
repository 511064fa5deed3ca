package dev.waybill.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A change by an operator, or an attempt that was denied.
 *
 * @param cursor its position in the audit, to read on from it
 * @param by as stated by the operator; not verified
 * @param relay empty if it concerned no single relay
 * @param details what was changed: a count, and ids or a filter
 * @param login the database login; empty if the store does not record it
 * @param allowed false if it was denied and nothing changed
 */
public record AuditEntry(
        String cursor,
        Instant at,
        Actor by,
        String action,
        String relay,
        String details,
        Optional<Login> login,
        boolean allowed) {

    /** An allowed change, in a store that does not record the login. */
    public AuditEntry(String cursor, Instant at, Actor by, String action, String relay, String details) {
        this(cursor, at, by, action, relay, details, Optional.empty(), true);
    }

    /**
     * The login, according to the database.
     *
     * @param user the authenticated user
     * @param address the client's address; empty for a local socket
     */
    public record Login(String user, Optional<String> address) {}
}
