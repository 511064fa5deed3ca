/**
 * What an application meets: {@link dev.waybill.Event events} and the {@link dev.waybill.Outbox} it appends them to, in
 * the transaction that changes its data.
 */
@NullMarked
package dev.waybill;

import org.jspecify.annotations.NullMarked;
