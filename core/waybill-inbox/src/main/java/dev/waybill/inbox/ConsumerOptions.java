package dev.waybill.inbox;

import dev.waybill.RetryPolicy;
import dev.waybill.spi.FiniteTime;
import java.time.Duration;
import java.util.Optional;

/**
 * How a consumer works.
 *
 * @param workers how many keys are handled at once
 * @param held maximum number of messages in memory
 * @param heldBytes maximum size of messages in memory; what the source itself has prefetched is not included and has its own
 *     limit
 * @param batch maximum number of events in one transaction, for handlers that allow batches
 * @param retry when a failed event is handled again; after the last attempt it goes to the dead letters
 * @param grace how long a stop waits for running handlers
 * @param keepHandled how long records stay in an inbox that does not expire them itself: the consumer deletes older ones in small
 *     steps. If absent: the inbox's replay window. Refused with an inbox that expires its records itself (Redis, MongoDB)
 */
public record ConsumerOptions(
        int workers,
        int held,
        long heldBytes,
        int batch,
        RetryPolicy retry,
        Duration grace,
        Optional<Duration> keepHandled) {
    private static final ConsumerOptions DEFAULTS = new ConsumerOptions(
            8,
            1_000,
            64_000_000,
            100,
            RetryPolicy.defaults().retries(5).first(Duration.ofMillis(200)).max(Duration.ofSeconds(10)),
            Duration.ofSeconds(10),
            Optional.empty());

    public static ConsumerOptions defaults() {
        return DEFAULTS;
    }

    public ConsumerOptions {
        if (workers < 1 || held < 1 || heldBytes < 1 || batch < 1) {
            throw new IllegalArgumentException("workers, held, held bytes and batch are " + workers + ", " + held + ", "
                    + heldBytes + " and " + batch
                    + ": use 1 or more for each.");
        }
        FiniteTime.require("grace", grace);
        keepHandled.ifPresent(time -> FiniteTime.require("keepHandled", time));
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace is " + grace + ": it must not be negative.");
        }
    }

    public ConsumerOptions workers(int count) {
        return new ConsumerOptions(count, held, heldBytes, batch, retry, grace, keepHandled);
    }

    public ConsumerOptions held(int messages) {
        return new ConsumerOptions(workers, messages, heldBytes, batch, retry, grace, keepHandled);
    }

    public ConsumerOptions heldBytes(long bytes) {
        return new ConsumerOptions(workers, held, bytes, batch, retry, grace, keepHandled);
    }

    public ConsumerOptions batch(int events) {
        return new ConsumerOptions(workers, held, heldBytes, events, retry, grace, keepHandled);
    }

    public ConsumerOptions retry(RetryPolicy policy) {
        return new ConsumerOptions(workers, held, heldBytes, batch, policy, grace, keepHandled);
    }

    public ConsumerOptions grace(Duration time) {
        return new ConsumerOptions(workers, held, heldBytes, batch, retry, time, keepHandled);
    }

    /** At least the inbox's replay window. */
    public ConsumerOptions keepHandled(Duration time) {
        return new ConsumerOptions(workers, held, heldBytes, batch, retry, grace, Optional.of(time));
    }
}
