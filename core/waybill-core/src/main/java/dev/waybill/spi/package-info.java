/**
 * What a store and a destination must do for the relay. An implementation is done when it passes the contract suite of
 * {@code waybill-tck}.
 */
@NullMarked
package dev.waybill.spi;

import org.jspecify.annotations.NullMarked;
