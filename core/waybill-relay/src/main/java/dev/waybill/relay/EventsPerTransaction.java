package dev.waybill.relay;

import dev.waybill.relay.OpenTransaction.Entry;
import dev.waybill.spi.Delivery;
import java.time.Duration;
import java.util.List;

/**
 * How many events a transaction may have. Larger again with each commit, and smaller
 *
 * <ul>
 *   <li>after refusals: a destination may fail the rest of a transaction because of a refusal, so that only one refused event is found
 *       in each, and all others are sent again;
 *   <li>after a failure of the destination, and after a commit that took long because of the number of events: a broker
 *       that throttles its clients may never be able to take a large transaction before some time limit ends it.
 * </ul>
 *
 * A part of the time of a commit does not depend on its events, and is long if the broker is far away or delays every request. Smaller
 * transactions do not make it shorter, so only the rest counts.
 *
 * <p>One thread.
 */
final class EventsPerTransaction {
    /** A fraction of the usual time limits of a producer. */
    private static final long LONG_NANOS = Duration.ofSeconds(8).toNanos();

    /** A failure after less time is unlikely to be caused by a time limit. */
    private static final long SHORTEST_LIMIT_NANOS = Duration.ofMillis(500).toNanos();

    /** With each commit, what counts as long becomes longer by this part: the failure may have had another cause than a limit. */
    private static final int RECOVERY = 256;

    /** A transaction may become twice as large as what fits, and must still be complete before a time limit. */
    private static final int MARGIN = 3;

    /** The events may always take this fraction of the time, even if the broker is slow independently of them: one in four. */
    private static final int LEAST_SHARE = 4;

    /** Slow commits do not make transactions smaller than this: only failures do. */
    private static final int FEW = 16;

    private final int largest;
    private final long longestNanos;
    private int most;
    private long longNanos;
    /** Estimated time of a commit without the part that depends on its events. */
    private long fixedNanos;

    /** @param linger how long a transaction stays open on purpose */
    EventsPerTransaction(int largest, Duration linger) {
        this.largest = largest;
        this.most = largest;
        this.longestNanos = LONG_NANOS + linger.toNanos();
        this.longNanos = longestNanos;
    }

    int most() {
        return most;
    }

    /** The transaction is aborted and repeated. */
    void repeated(OpenTransaction open) {
        List<Entry> entries = open.entries();
        boolean refused = entries.stream().anyMatch(entry -> entry.answer instanceof Delivery.Refused);
        if (refused && entries.stream().anyMatch(entry -> entry.answer instanceof Delivery.Behind)) {
            halve(open.size());
        }
    }

    /**
     * The destination failed during a transaction.
     *
     * @param events of it; 0 if it failed before the first
     * @param nanos since the first of them was sent
     */
    void failed(int events, long nanos) {
        if (events == 0) {
            return;
        }
        halve(events);
        fixedNanos = 0;
        if (nanos >= SHORTEST_LIMIT_NANOS) {
            longNanos = Math.min(longNanos, nanos / MARGIN);
        }
    }

    private void halve(int events) {
        most = Math.max(1, Math.min(most, events) / 2);
    }

    /** @param nanos since the first of its events was sent */
    void committed(int events, long nanos) {
        longNanos = Math.min(longestNanos, longNanos + longNanos / RECOVERY);
        fixedNanos = Math.min(nanos, fixedNanos + (nanos - fixedNanos) / 2);
        long forEvents = nanos - fixedNanos;
        long allowed = Math.max(longNanos - fixedNanos, longNanos / LEAST_SHARE);
        if (forEvents > allowed) {
            int fitting = (int) ((double) events * allowed / forEvents);
            most = Math.min(most, Math.max(FEW, fitting));
        } else if (forEvents <= allowed / 2) {
            most = Math.min(largest / 2, most) + Math.min(largest - largest / 2, most);
        }
    }
}
