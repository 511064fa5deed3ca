/** Sessions of relays and replays over a journal. Not for applications. */
@NullMarked
package dev.waybill.postgres.relay;

import org.jspecify.annotations.NullMarked;
