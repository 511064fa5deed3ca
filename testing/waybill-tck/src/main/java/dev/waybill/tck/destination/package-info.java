/** The contract every destination must pass. */
@NullMarked
package dev.waybill.tck.destination;

import org.jspecify.annotations.NullMarked;
