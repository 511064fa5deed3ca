package dev.waybill.mongodb;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * How a relay reads an outbox in MongoDB.
 *
 * @param clock tells when a retry is due; leases and locks go by the server's own clock
 * @param nanoTime tells how much time has passed between two looks from the start
 * @param lock how long a record that is being published is locked for other workers
 */
public record MongoStoreOptions(InstantSource clock, LongSupplier nanoTime, Duration lock) {
    /** A minute. */
    public static final MongoStoreOptions DEFAULT =
            new MongoStoreOptions(InstantSource.system(), System::nanoTime, Duration.ofSeconds(60));

    public MongoStoreOptions {
        if (lock.toMillis() < 1_000) {
            throw new IllegalArgumentException("The lock is " + lock.toMillis()
                    + " ms: use at least 1000 ms, or it may run out while the record is being published.");
        }
    }

    public MongoStoreOptions withClock(InstantSource newClock) {
        return new MongoStoreOptions(newClock, nanoTime, lock);
    }

    public MongoStoreOptions withNanoTime(LongSupplier newNanoTime) {
        return new MongoStoreOptions(clock, newNanoTime, lock);
    }

    public MongoStoreOptions withLock(Duration newLock) {
        return new MongoStoreOptions(clock, nanoTime, newLock);
    }
}
