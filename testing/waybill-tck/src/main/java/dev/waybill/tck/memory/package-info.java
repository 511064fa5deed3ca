/**
 * An outbox in memory, for tests of applications and of the relay. It passes the same contract as every other store, and
 * is gone when the process is.
 */
@NullMarked
package dev.waybill.tck.memory;

import org.jspecify.annotations.NullMarked;
