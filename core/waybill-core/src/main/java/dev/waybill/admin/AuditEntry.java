package dev.waybill.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * One change by a person, or one that was denied.
 *
 * @param by what they said of themselves; nobody checked it
 * @param relay empty when it concerned no relay alone
 * @param details what it was done to: how many, and ids or a filter
 * @param login who it was for the database; nothing where the store does not know
 * @param allowed false when it was denied and nothing changed
 */
public record AuditEntry(
        Instant at, Actor by, String action, String relay, String details, Optional<Login> login, boolean allowed) {

    /** Something that was done, in a store that knows no more of a person than what they said. */
    public AuditEntry(Instant at, Actor by, String action, String relay, String details) {
        this(at, by, action, relay, details, Optional.empty(), true);
    }

    /**
     * As the database tells.
     *
     * @param user whose password or certificate was used
     * @param address where the connection came from; nothing for one over a local socket
     */
    public record Login(String user, Optional<String> address) {}
}
