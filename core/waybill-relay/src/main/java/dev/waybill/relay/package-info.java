/**
 * The engine that moves events from a store to a destination. The path of an event is in {@link dev.waybill.relay.RelayCycle};
 * {@link dev.waybill.relay.Relay} runs it.
 */
@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
