/**
 * Interfaces that stores, destinations and sources implement. An implementation is complete when it passes the contract suite
 * of {@code waybill-tck}.
 */
@NullMarked
package dev.waybill.spi;

import org.jspecify.annotations.NullMarked;
