package dev.waybill.kafka;

import dev.waybill.kafka.UnavailablePartitions.Outage;
import dev.waybill.spi.Delivery.Unavailable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;

/**
 * Watches the producer of a session and replaces it, on the lookup's thread. A producer keeps its messages until the delivery
 * timeout and would send them when a partition is available again, although later ones were parked meanwhile. So a producer with
 * messages to an unavailable partition is replaced.
 */
final class ReplaceProducer {
    private static final Duration WATCH = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long POLL_NANOS = Duration.ofMillis(2).toNanos();

    private final ProducerSession session;
    private final SharedBySessions shared;
    private final AtomicBoolean watching = new AtomicBoolean();

    ReplaceProducer(ProducerSession session, SharedBySessions shared) {
        this.session = session;
        this.shared = shared;
    }

    /** Checks the producer periodically while something is in flight. */
    void keepWatching() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            shared.lookup().later(WATCH, session, this::watch);
        }
    }

    private void watch() {
        watching.set(false);
        if (session.end() != null) {
            return;
        }
        ProducerLife life = session.life();
        Map<TopicPartition, Outage> found =
                life.isRetired() ? Map.of() : shared.watch().findUnavailable(life);
        if (!found.isEmpty() && life.retire()) {
            replaceWithout(found, life);
        }
        if (!life.hasNothingOutExcept(partition -> false)) {
            keepWatching();
        }
    }

    /** For a retired producer: the broker refused a whole batch because of single records, and has named them. */
    void atOnce(ProducerLife life) {
        shared.lookup().execute(session, () -> replace(life));
    }

    /**
     * For a retired producer, which gave up a message: it is replaced if only some partitions are unavailable; otherwise the session
     * ends.
     */
    void unlessAllAreAway(ProducerLife life, Unavailable why) {
        shared.lookup().execute(session, () -> {
            Map<TopicPartition, Outage> found = shared.watch().findUnavailableNow(life);
            if (found.isEmpty()) {
                shared.away().clear();
                session.endBecause(why);
            } else {
                replaceWithout(found, life);
            }
        });
    }

    private void replaceWithout(Map<TopicPartition, Outage> found, ProducerLife life) {
        if (session.end() != null) {
            return;
        }
        shared.away().add(found);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!life.hasNothingOutExcept(found::containsKey)
                && session.end() == null
                && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        replace(life);
    }

    private void replace(ProducerLife life) {
        life.closeElsewhere(Duration.ZERO, PATIENCE);
        if (session.end() != null) {
            return;
        }
        ProducerLife next = shared.lives().get();
        if (!session.takeOver(life, next)) {
            next.closeElsewhere(Duration.ZERO, Duration.ZERO);
        }
    }
}
