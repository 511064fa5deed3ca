package dev.waybill.server.access;

/**
 * Who makes a request.
 *
 * @param name for the audit
 */
public record Caller(String name, Role role) {
    static final Caller NOBODY = new Caller("", Role.ANYONE);
}
