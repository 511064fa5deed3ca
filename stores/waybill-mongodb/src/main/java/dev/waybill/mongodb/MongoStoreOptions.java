package dev.waybill.mongodb;

import dev.waybill.spi.support.StoreClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How a relay reads an outbox in MongoDB. Immutable: every setter returns a copy. */
public final class MongoStoreOptions {
    private static final MongoStoreOptions DEFAULTS = new MongoStoreOptions(
            () -> StoreClock.following(InstantSource.system(), System::nanoTime),
            System::nanoTime,
            Duration.ofSeconds(60));

    private final Supplier<StoreClock> clock;
    private final LongSupplier nanoTime;
    private final Duration lock;

    private MongoStoreOptions(Supplier<StoreClock> clock, LongSupplier nanoTime, Duration lock) {
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

    /** The time of the server, for one session; determines when a retry is due. */
    StoreClock clock() {
        return clock.get();
    }

    /** Determines when a retry is due, instead of the server's clock, which leases and locks use. */
    MongoStoreOptions clock(InstantSource source) {
        return new MongoStoreOptions(() -> StoreClock.same(source), nanoTime, lock);
    }

    /** The clock of this process. */
    MongoStoreOptions ownClock(InstantSource source) {
        return new MongoStoreOptions(() -> StoreClock.following(source, System::nanoTime), nanoTime, lock);
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
