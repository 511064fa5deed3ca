package dev.waybill.admin;

import java.time.Instant;

/**
 * One change by a person.
 *
 * @param relay empty when it concerned no relay alone
 * @param details what it was done to: how many, and ids or a filter
 */
public record AuditEntry(Instant at, Actor by, String action, String relay, String details) {}
