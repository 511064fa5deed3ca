package dev.waybill.mongodb;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** How a relay reads an outbox in MongoDB. Immutable: every setter returns a copy. */
public final class MongoStoreOptions {
    private static final MongoStoreOptions DEFAULTS =
            new MongoStoreOptions(InstantSource.system(), System::nanoTime, Duration.ofSeconds(60));

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Duration lock;

    private MongoStoreOptions(InstantSource clock, LongSupplier nanoTime, Duration lock) {
        if (lock.toMillis() < 1_000) {
            throw new IllegalArgumentException(
                    "The lock is " + lock.toMillis()
                            + " ms: use at least 1000 ms, because a shorter lock may expire while the record is being published.");
        }
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.lock = lock;
    }

    public static MongoStoreOptions defaults() {
        return DEFAULTS;
    }

    /** Determines when a retry is due; leases and locks use the server's clock. */
    InstantSource clock() {
        return clock;
    }

    MongoStoreOptions clock(InstantSource source) {
        return new MongoStoreOptions(source, nanoTime, lock);
    }

    /** Measures the time between two scans from the start. */
    LongSupplier nanoTime() {
        return nanoTime;
    }

    MongoStoreOptions nanoTime(LongSupplier source) {
        return new MongoStoreOptions(clock, source, lock);
    }

    /** How long a record that is being published is locked for other workers; default: a minute. */
    public Duration lock() {
        return lock;
    }

    public MongoStoreOptions lock(Duration time) {
        return new MongoStoreOptions(clock, nanoTime, time);
    }
}
