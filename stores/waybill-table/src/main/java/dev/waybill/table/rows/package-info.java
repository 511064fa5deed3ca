/** Rows of an outbox table and of the side tables: columns, statements, dialects. Not an API: only this module uses it. */
@NullMarked
package dev.waybill.table.rows;

import org.jspecify.annotations.NullMarked;
