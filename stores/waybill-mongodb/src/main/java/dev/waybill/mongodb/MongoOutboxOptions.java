package dev.waybill.mongodb;

import dev.waybill.WakeSignal;
import java.util.Optional;

/**
 * How an outbox appends.
 *
 * @param maxPayloadBytes larger payloads are refused. The default leaves room for an envelope in Kafka's default of 1 MiB
 * @param maxRetries {@code max_retries} of every record: after this many failed sends it is dead
 * @param wake raised after each append, to wake relays in the same process; the transaction has not committed yet
 */
public record MongoOutboxOptions(int maxPayloadBytes, int maxRetries, Optional<WakeSignal> wake) {
    private static final MongoOutboxOptions DEFAULTS =
            new MongoOutboxOptions(1_000_000, Field.DEFAULT_MAX_RETRIES, Optional.empty());

    public static MongoOutboxOptions defaults() {
        return DEFAULTS;
    }

    public MongoOutboxOptions {
        if (maxPayloadBytes < 1 || maxRetries < 1) {
            throw new IllegalArgumentException("maxPayloadBytes is " + maxPayloadBytes + " and maxRetries is "
                    + maxRetries + ": use at least 1 for both.");
        }
    }

    public MongoOutboxOptions maxPayloadBytes(int bytes) {
        return new MongoOutboxOptions(bytes, maxRetries, wake);
    }

    public MongoOutboxOptions maxRetries(int retries) {
        return new MongoOutboxOptions(maxPayloadBytes, retries, wake);
    }

    public MongoOutboxOptions wake(WakeSignal signal) {
        return new MongoOutboxOptions(maxPayloadBytes, maxRetries, Optional.of(signal));
    }
}
