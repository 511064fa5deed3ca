/**
 * The contract every store must pass: extend {@link dev.waybill.tck.StoreContract}, give it a
 * {@link dev.waybill.tck.StoreHarness}, and run it.
 */
@NullMarked
package dev.waybill.tck;

import org.jspecify.annotations.NullMarked;
