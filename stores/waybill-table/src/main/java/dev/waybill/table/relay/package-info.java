/** Sessions of relays and replays over an outbox table. Not an API: only this module uses it. */
@NullMarked
package dev.waybill.table.relay;

import org.jspecify.annotations.NullMarked;
