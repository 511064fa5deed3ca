package dev.waybill.inbox;

import dev.waybill.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * How a consumer works.
 *
 * @param workers how many keys are handled at once
 * @param held how many messages are kept in memory
 * @param heldBytes with so many bytes of messages in memory no more are taken from the source; what the source has fetched
 *     already comes on top, and it has a limit of its own
 * @param batch how many events may share a transaction, when their handlers asked for it
 * @param retry when an event that failed is handled again; after the last time it goes to the dead letters
 * @param grace how long a stop waits for what is at work
 * @param keepHandled how long an inbox that does not forget by itself remembers what was handled: the consumer deletes what is
 *     older, some of it at a time. Nothing: as long as the inbox says that an event may come again
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

    /** Not less than the time for which the inbox says that an event may come again. */
    public ConsumerOptions keepHandled(Duration time) {
        return new ConsumerOptions(workers, held, heldBytes, batch, retry, grace, Optional.of(time));
    }
}
