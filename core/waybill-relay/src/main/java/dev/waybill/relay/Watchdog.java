package dev.waybill.relay;

import dev.waybill.spi.LeaseLostException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a stalled session. A publish without an answer within its timeout is aborted; if that brings no answer either, the
 * session ends. A loop that hangs loses its lease, so that another process can take over, unless it hangs in a listener.
 */
final class Watchdog {
    private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

    /** Maximum time for an abort; less if the timeout is shorter. */
    private static final Duration MAX_ABORT_TIME = Duration.ofSeconds(10);

    private final RelayPlan plan;
    private final UserCalls calls;
    private final LongSupplier nanoTime;
    private final Duration timeout;
    private final Duration abortTimeout;
    private boolean aborted;
    private volatile long nextCycleBy;
    /** What the loop hangs in, once it does. */
    private volatile @Nullable String stuckIn;

    Watchdog(RelayPlan plan, UserCalls calls, LongSupplier nanoTime) {
        this.plan = plan;
        this.calls = calls;
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

    /** Logs which code of the application has not returned for long. Any thread. */
    void lookAtCalls() {
        calls.look();
    }

    /** Whether the loop hangs, so that the lease must not be renewed; logged the first time. Any thread. */
    boolean isLoopStuck() {
        long late = nanoTime.getAsLong() - nextCycleBy;
        if (late < 0 || calls.keepsLease()) {
            return false;
        }
        if (stuckIn == null) {
            String what = calls.current().map(UserCalls.InCall::words).orElse("a call of its destination or its store");
            stuckIn = what;
            log.error(
                    "Relay {}: its loop has been stuck for {} s in {}. The lease is not renewed, so that another process can take"
                            + " over.",
                    plan.name(),
                    timeout.plusNanos(late).toSeconds(),
                    what);
        }
        return true;
    }

    /** The lease ended because it was not renewed. */
    LeaseLostException notRenewed(long epoch) {
        String what = stuckIn;
        return LeaseLostException.notRenewed(
                plan.name(),
                epoch,
                what == null ? "a slow database or network, or a suspended process" : "the loop was stuck in " + what);
    }
}
