/** What a source of messages is, and what dead letters are: contracts that every broker's must pass. */
@NullMarked
package dev.waybill.tck.source;

import org.jspecify.annotations.NullMarked;
