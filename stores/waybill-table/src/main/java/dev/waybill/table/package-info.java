/** Outbox tables of any layout: {@link dev.waybill.table.TableStore}. */
@NullMarked
package dev.waybill.table;

import org.jspecify.annotations.NullMarked;
