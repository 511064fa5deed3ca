/** The journal in PostgreSQL: {@link dev.waybill.postgres.PostgresJournal}. */
@NullMarked
package dev.waybill.postgres;

import org.jspecify.annotations.NullMarked;
