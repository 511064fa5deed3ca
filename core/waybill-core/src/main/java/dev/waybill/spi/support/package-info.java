/** Shared by implementations of destinations. */
@NullMarked
package dev.waybill.spi.support;

import org.jspecify.annotations.NullMarked;
