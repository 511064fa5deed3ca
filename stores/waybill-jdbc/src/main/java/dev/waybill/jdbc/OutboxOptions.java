package dev.waybill.jdbc;

/**
 * How an outbox appends.
 *
 * @param maxPayloadBytes larger payloads are refused. The default leaves room for an envelope in Kafka's default of 1 MiB
 * @param lockKeys whether to take a lock on each key before appending, until the transaction ends. Only for aggregates that
 *     have no row which every writer locks first: it is what gives concurrent appends of one key an order
 * @param onAppend called after each append, to wake a relay in the same process; the transaction has not committed yet
 */
public record OutboxOptions(int maxPayloadBytes, boolean lockKeys, Runnable onAppend) {
    private static final OutboxOptions DEFAULTS = new OutboxOptions(1_000_000, false, () -> {});

    public static OutboxOptions defaults() {
        return DEFAULTS;
    }

    public OutboxOptions {
        if (maxPayloadBytes < 1) {
            throw new IllegalArgumentException("maxPayloadBytes is " + maxPayloadBytes + ": use at least 1.");
        }
    }

    public OutboxOptions maxPayloadBytes(int bytes) {
        return new OutboxOptions(bytes, lockKeys, onAppend);
    }

    public OutboxOptions lockKeys(boolean lock) {
        return new OutboxOptions(maxPayloadBytes, lock, onAppend);
    }

    public OutboxOptions waking(Runnable relay) {
        return new OutboxOptions(maxPayloadBytes, lockKeys, relay);
    }
}
