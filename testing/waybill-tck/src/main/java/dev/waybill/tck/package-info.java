/**
 * The contract that every store must pass: extend {@link dev.waybill.tck.StoreContract}, provide a {@link
 * dev.waybill.tck.StoreHarness}, and run it.
 */
@NullMarked
package dev.waybill.tck;

import org.jspecify.annotations.NullMarked;
