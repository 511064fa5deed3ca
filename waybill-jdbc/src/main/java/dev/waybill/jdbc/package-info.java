/** Outboxes in SQL databases: {@link dev.waybill.jdbc.JdbcOutbox} to append, {@link dev.waybill.jdbc.PostgresJournal} to relay. */
@NullMarked
package dev.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
