/**
 * An in-memory outbox for tests of applications and of the relay. It passes the same contract as every other store, and
 * is not persistent.
 */
@NullMarked
package dev.waybill.tck.memory;

import org.jspecify.annotations.NullMarked;
