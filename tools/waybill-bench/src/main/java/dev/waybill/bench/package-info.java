/** Measurements: everything that is compared runs in one go, warm and in turns, and is reported as a ratio. */
@NullMarked
package dev.waybill.bench;

import org.jspecify.annotations.NullMarked;
