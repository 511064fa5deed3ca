/** The contracts of message sources and dead letters, which every broker's implementation must pass. */
@NullMarked
package dev.waybill.tck.source;

import org.jspecify.annotations.NullMarked;
