/** How processes that run the same relays share them evenly. Decides only: it starts no thread and calls no store. */
@NullMarked
package dev.waybill.relay.sharing;

import org.jspecify.annotations.NullMarked;
