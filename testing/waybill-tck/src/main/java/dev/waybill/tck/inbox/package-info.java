/** The contract that every inbox must pass. */
@NullMarked
package dev.waybill.tck.inbox;

import org.jspecify.annotations.NullMarked;
