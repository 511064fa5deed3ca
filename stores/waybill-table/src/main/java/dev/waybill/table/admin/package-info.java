/** Administration of an outbox table: status, listing, requeue and discard, checkups, retention. Not an API: only this module uses it. */
@NullMarked
package dev.waybill.table.admin;

import org.jspecify.annotations.NullMarked;
