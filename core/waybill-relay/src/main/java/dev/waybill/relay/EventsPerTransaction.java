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
 *   <li>after a failure of the destination, and after a commit that was long in coming: a broker that is slow, or that throttles its
 *       clients, may never be able to take a large transaction before some time limit ends it.
 * </ul>
 *
 * One thread.
 */
final class EventsPerTransaction {
    /** Much shorter than the time limits of a producer. */
    private static final long LONG_NANOS = Duration.ofSeconds(2).toNanos();

    private final int largest;
    private int most;

    EventsPerTransaction(int largest) {
        this.largest = largest;
        this.most = largest;
    }

    int most() {
        return most;
    }

    /** The transaction is aborted and repeated. */
    void repeated(OpenTransaction open) {
        List<Entry> entries = open.entries();
        boolean refused = entries.stream().anyMatch(entry -> entry.answer instanceof Delivery.Refused);
        if (refused && entries.stream().anyMatch(entry -> entry.answer instanceof Delivery.Behind)) {
            halve(open);
        }
    }

    /** The destination failed during the transaction, perhaps before its first event. */
    void failed(OpenTransaction open) {
        if (!open.isEmpty()) {
            halve(open);
        }
    }

    private void halve(OpenTransaction open) {
        most = Math.max(1, Math.min(most, open.size()) / 2);
    }

    /** @param nanos since the first of its events was sent */
    void committed(int events, long nanos) {
        if (nanos > LONG_NANOS) {
            most = Math.max(1, (int) ((double) events * LONG_NANOS / nanos));
        } else {
            most = Math.min(largest / 2, most) + Math.min(largest - largest / 2, most);
        }
    }
}
