package dev.waybill.mongodb;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.bson.BsonDateTime;

/**
 * Where a scan for pending records starts: behind those that are known to wait for others of their keys, so that not every claim
 * reads them. Once a second, or when something may have released them, it starts from the beginning.
 */
final class Walk {
    private static final long FROM_START_NANOS = Duration.ofSeconds(1).toNanos();

    private final LongSupplier nanoTime;
    private Optional<BsonDateTime> from = Optional.empty();
    private long rememberedAt;
    private long changes;

    Walk(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    Optional<BsonDateTime> from(long changesNow) {
        if (changes != changesNow || nanoTime.getAsLong() - rememberedAt >= FROM_START_NANOS) {
            fromStart();
        }
        changes = changesNow;
        return from;
    }

    /** Everything before this time waits. */
    void behind(BsonDateTime time) {
        if (from.isEmpty()) {
            rememberedAt = nanoTime.getAsLong();
        }
        from = Optional.of(time);
    }

    void fromStart() {
        from = Optional.empty();
    }
}
