package dev.waybill.admin;

import java.time.Instant;

/**
 * One change by a person.
 *
 * @param details what was done it to: ids, counts
 */
public record AuditEntry(Instant at, Actor by, String action, String relay, String details) {}
