/** gruelbox transaction-outbox. */
@NullMarked
package dev.waybill.bench.gruelbox;

import org.jspecify.annotations.NullMarked;
