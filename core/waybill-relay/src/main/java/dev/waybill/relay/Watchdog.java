package dev.waybill.relay;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a stalled session. A publish without an answer within its timeout is aborted; if that brings no answer either, the
 * session ends. A loop that hangs in a call of its destination or its store loses its lease, so that another process can take
 * over.
 */
final class Watchdog {
    private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

    /** Maximum time for an abort; less if the timeout is shorter. */
    private static final Duration MAX_ABORT_TIME = Duration.ofSeconds(10);

    private final RelayPlan plan;
    private final LongSupplier nanoTime;
    private final Duration timeout;
    private final Duration abortTimeout;
    private boolean aborted;
    private volatile long nextCycleBy;
    private volatile boolean loggedStuck;

    Watchdog(RelayPlan plan, LongSupplier nanoTime) {
        this.plan = plan;
        this.nanoTime = nanoTime;
        this.timeout = plan.options().inFlight().timeout();
        this.abortTimeout = timeout.compareTo(MAX_ABORT_TIME) < 0 ? timeout : MAX_ABORT_TIME;
        cycled(Duration.ZERO);
    }

    /** How long a destination may take to answer after an abort. */
    Duration abortTimeout() {
        return abortTimeout;
    }

    /**
     * Called by the loop after each cycle.
     *
     * @param abort aborts the messages in flight; takes the reason
     * @return maximum wait before the next call
     * @throws StalledException if the abort brought no answer either
     */
    Duration look(Outgoing.Unanswered out, Consumer<String> abort) {
        Duration left = timeout.minus(out.oldest());
        if (!left.isNegative() && !left.isZero()) {
            aborted = false;
            return left;
        }
        if (!aborted) {
            aborted = true;
            log.error(
                    "Relay {}: the destination has not answered for {} s: {} messages are in flight, in at most {} batches. They are"
                            + " aborted and sent again.",
                    plan.name(),
                    out.oldest().toSeconds(),
                    out.messages(),
                    plan.options().inFlight().batches());
            abort.accept("it has not answered for " + out.oldest().toSeconds() + " s");
        }
        Duration untilEnd = timeout.plus(abortTimeout).minus(out.oldest());
        if (untilEnd.isNegative() || untilEnd.isZero()) {
            throw stalled(out);
        }
        return untilEnd;
    }

    static StalledException stalled(Outgoing.Unanswered out) {
        return new StalledException("the destination neither answered nor aborted " + out.messages()
                + " messages, the oldest in flight for " + out.oldest().toSeconds() + " s");
    }

    /** The loop has run a cycle, and runs the next after this wait unless it hangs. */
    void cycled(Duration wait) {
        nextCycleBy = nanoTime.getAsLong() + wait.plus(timeout).toNanos();
    }

    /** Whether the loop hangs; logged the first time. Any thread. */
    boolean isLoopStuck() {
        long late = nanoTime.getAsLong() - nextCycleBy;
        if (late < 0) {
            return false;
        }
        if (!loggedStuck) {
            loggedStuck = true;
            log.error(
                    "Relay {}: its loop has been stuck for {} s in a call of its destination or its store. The lease is not renewed, so that"
                            + " another process can take over.",
                    plan.name(),
                    timeout.plusNanos(late).toSeconds());
        }
        return true;
    }
}
