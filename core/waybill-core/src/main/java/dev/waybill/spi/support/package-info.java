/** What implementers of destinations share. */
@NullMarked
package dev.waybill.spi.support;

import org.jspecify.annotations.NullMarked;
