package dev.waybill.relay;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees that a session moves, by the monotonic clock. A publish that gets no answer within its timeout is called back, and when
 * that brings no answer either the session ends without it. A loop that does not turn, because its destination or its store
 * does not return, loses its lease, so that another process can take over.
 */
final class Watchdog {
    private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

    /** How long a destination may take to call back what is out; less where the timeout is shorter. */
    private static final Duration LONGEST_CALL_BACK = Duration.ofSeconds(10);

    private final RelayPlan plan;
    private final LongSupplier nanoTime;
    private final Duration timeout;
    private final Duration callBack;
    private boolean calledBack;
    private volatile long nextTurnBy;
    private volatile boolean toldStuck;

    Watchdog(RelayPlan plan, LongSupplier nanoTime) {
        this.plan = plan;
        this.nanoTime = nanoTime;
        this.timeout = plan.options().inFlight().timeout();
        this.callBack = timeout.compareTo(LONGEST_CALL_BACK) < 0 ? timeout : LONGEST_CALL_BACK;
        turned(Duration.ZERO);
    }

    /** How long a destination may take to call back what is out. */
    Duration callBack() {
        return callBack;
    }

    /**
     * Called by the loop after each turn.
     *
     * @param callBackAll calls back what is out; takes the reason
     * @return how long it may wait before it asks again
     * @throws StalledException when what is out was called back in vain
     */
    Duration look(Outgoing.Unanswered out, Consumer<String> callBackAll) {
        Duration left = timeout.minus(out.oldest());
        if (!left.isNegative() && !left.isZero()) {
            calledBack = false;
            return left;
        }
        if (!calledBack) {
            calledBack = true;
            log.error(
                    "Relay {}: the destination has not answered for {} s: {} messages are out, of at most {} batches. They are"
                            + " called back and sent again.",
                    plan.name(),
                    out.oldest().toSeconds(),
                    out.messages(),
                    plan.options().inFlight().batches());
            callBackAll.accept("it has not answered for " + out.oldest().toSeconds() + " s");
        }
        Duration untilEnd = timeout.plus(callBack).minus(out.oldest());
        if (untilEnd.isNegative() || untilEnd.isZero()) {
            throw stalled(out);
        }
        return untilEnd;
    }

    static StalledException stalled(Outgoing.Unanswered out) {
        return new StalledException("the destination neither answered nor called back " + out.messages()
                + " messages, the oldest out for " + out.oldest().toSeconds() + " s");
    }

    /** The loop has turned, and does so again within this time unless it hangs. */
    void turned(Duration wait) {
        nextTurnBy = nanoTime.getAsLong() + wait.plus(timeout).toNanos();
    }

    /** Whether the loop hangs. Says so the first time. Any thread. */
    boolean isLoopStuck() {
        long late = nanoTime.getAsLong() - nextTurnBy;
        if (late < 0) {
            return false;
        }
        if (!toldStuck) {
            toldStuck = true;
            log.error(
                    "Relay {}: its loop has hung for {} s, in its destination or its store. The lease is not renewed, so that"
                            + " another process can take over.",
                    plan.name(),
                    timeout.plusNanos(late).toSeconds());
        }
        return true;
    }
}
