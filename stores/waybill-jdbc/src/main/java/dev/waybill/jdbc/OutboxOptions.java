package dev.waybill.jdbc;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.WakeSignal;
import java.util.List;
import java.util.Optional;

/**
 * How an outbox appends.
 *
 * @param maxPayloadBytes larger payloads are refused. The default leaves room for an envelope within Kafka's default of 1 MiB
 * @param lockKeys whether to lock each key before appending, until the transaction ends. Only for aggregates without a row that
 *     every writer locks first: it gives concurrent appends of one key an order
 * @param wake raised after each append, to wake relays in the same process
 */
public record OutboxOptions(int maxPayloadBytes, boolean lockKeys, Optional<WakeSignal> wake) {
    private static final OutboxOptions DEFAULTS = new OutboxOptions(1_000_000, false, Optional.empty());

    public static OutboxOptions defaults() {
        return DEFAULTS;
    }

    public OutboxOptions {
        if (maxPayloadBytes < 1) {
            throw new IllegalArgumentException("maxPayloadBytes is " + maxPayloadBytes + ": use at least 1.");
        }
    }

    /** @throws InvalidEventException if one of the payloads is too large */
    public void requireSize(List<Event> events) {
        for (Event event : events) {
            if (event.payload().size() > maxPayloadBytes) {
                throw new InvalidEventException("The payload of event " + event.id() + " (" + event.type() + ") has "
                        + event.payload().size() + " bytes, at most " + maxPayloadBytes
                        + " are allowed: put large data elsewhere and send a reference, or raise"
                        + " OutboxOptions.maxPayloadBytes and the broker's limit with it.");
            }
        }
    }

    public OutboxOptions maxPayloadBytes(int bytes) {
        return new OutboxOptions(bytes, lockKeys, wake);
    }

    public OutboxOptions lockKeys(boolean lock) {
        return new OutboxOptions(maxPayloadBytes, lock, wake);
    }

    public OutboxOptions wake(WakeSignal signal) {
        return new OutboxOptions(maxPayloadBytes, lockKeys, Optional.of(signal));
    }
}
