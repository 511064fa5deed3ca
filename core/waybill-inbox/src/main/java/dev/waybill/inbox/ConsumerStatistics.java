package dev.waybill.inbox;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a consumer since its start. */
public final class ConsumerStatistics {
    final LongAdder handled = new LongAdder();
    final LongAdder duplicates = new LongAdder();
    final LongAdder stale = new LongAdder();
    final LongAdder gaps = new LongAdder();
    final LongAdder passedOver = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder dead = new LongAdder();
    final LongAdder commits = new LongAdder();

    ConsumerStatistics() {}

    /** Effects applied. */
    public long handled() {
        return handled.sum();
    }

    /** Events whose effect was already applied. */
    public long duplicates() {
        return duplicates.sum();
    }

    /** Events older than the last version seen of their entity. */
    public long stale() {
        return stale.sum();
    }

    /** Events received before earlier versions of their entity. */
    public long gaps() {
        return gaps.sum();
    }

    /** Events of types without a handler. */
    public long passedOver() {
        return passedOver.sum();
    }

    /** Calls of a handler that failed. */
    public long failures() {
        return failures.sum();
    }

    /** Messages sent to the dead letters. */
    public long dead() {
        return dead.sum();
    }

    /** Transactions committed. */
    public long commits() {
        return commits.sum();
    }
}
