package dev.waybill.inbox;

import dev.waybill.PurgeableInbox;
import dev.waybill.admin.PurgeStep;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically deletes old records of this consumer from the inbox, in small transactions with pauses between them, so that
 * handling is not slowed down. One thread.
 */
final class PurgeInbox<T> {
    private static final Logger log = LoggerFactory.getLogger(PurgeInbox.class);
    static final int STEP = 1_000;
    /** The rest is deleted in the next run. */
    static final int MOST_STEPS = 200;

    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ConsumerParts<T> parts;
    private final PurgeableInbox<T> inbox;
    private final Duration keep;
    private final CountDownLatch stopping;

    private PurgeInbox(ConsumerParts<T> parts, PurgeableInbox<T> inbox, CountDownLatch stopping) {
        this.parts = parts;
        this.inbox = inbox;
        this.keep = parts.options.keepHandled().orElse(inbox.replayWindow());
        this.stopping = stopping;
    }

    /**
     * @return empty if the inbox expires its records itself
     */
    static <T> Optional<PurgeInbox<T>> of(ConsumerParts<T> parts, CountDownLatch stopping) {
        return parts.inbox instanceof PurgeableInbox<T> purgeable
                ? Optional.of(new PurgeInbox<>(parts, purgeable, stopping))
                : Optional.empty();
    }

    void runUntilStopped() {
        try {
            while (!stopping.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                runOnce(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * @return number of deleted records
     */
    int runOnce(Duration pause) throws InterruptedException {
        int deleted = 0;
        try {
            PurgeStep step;
            int steps = 0;
            do {
                step = parts.transactions.call(transaction -> inbox.purge(transaction, parts.name, keep, STEP));
                deleted += step.deleted();
                steps++;
            } while (step.more() && steps < MOST_STEPS && !stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            log.warn(
                    "Consumer {}: its inbox could not be purged ({}) after {} records were deleted; trying again in {} min.",
                    parts.name,
                    e.getClass().getName(),
                    deleted,
                    INTERVAL.toMinutes());
        }
        return deleted;
    }
}
