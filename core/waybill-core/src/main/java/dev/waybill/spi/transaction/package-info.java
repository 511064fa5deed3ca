/** For stores and destinations that deliver exactly once: windows that a store saves, and transactions of a destination. */
@NullMarked
package dev.waybill.spi.transaction;

import org.jspecify.annotations.NullMarked;
