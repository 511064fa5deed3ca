package dev.waybill.mongodb;

/**
 * How an outbox appends.
 *
 * @param maxPayloadBytes larger payloads are refused. The default leaves room for an envelope in Kafka's default of 1 MiB
 * @param maxRetries {@code max_retries} of every record: after this many failed sends it is dead
 * @param onAppend called after each append, to wake a relay in the same process; the transaction has not committed yet
 */
public record MongoOutboxOptions(int maxPayloadBytes, int maxRetries, Runnable onAppend) {
    private static final MongoOutboxOptions DEFAULTS =
            new MongoOutboxOptions(1_000_000, Field.DEFAULT_MAX_RETRIES, () -> {});

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
        return new MongoOutboxOptions(bytes, maxRetries, onAppend);
    }

    public MongoOutboxOptions maxRetries(int retries) {
        return new MongoOutboxOptions(maxPayloadBytes, retries, onAppend);
    }

    public MongoOutboxOptions waking(Runnable relay) {
        return new MongoOutboxOptions(maxPayloadBytes, maxRetries, relay);
    }
}
