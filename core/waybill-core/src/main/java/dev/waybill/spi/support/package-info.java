/** Shared by implementations of stores and destinations. */
@NullMarked
package dev.waybill.spi.support;

import org.jspecify.annotations.NullMarked;
