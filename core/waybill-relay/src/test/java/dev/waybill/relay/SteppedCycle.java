package dev.waybill.relay;

import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A cycle that the test runs step by step, with a clock that the test moves and a lease that the test ends. */
abstract class SteppedCycle {
    static final int MAX_CYCLES = 10_000;

    private final ManualClock clock = new ManualClock();
    private final UserCalls calls = RelayScene.calls(this::nanoTime);
    private boolean leaseHolds = true;
    private int answersArrived;
    private int repeats;

    abstract Cycle cycle();

    ManualClock clock() {
        return clock;
    }

    long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(clock.instant().toEpochMilli());
    }

    void pass(Duration time) {
        clock.advance(time);
    }

    CycleResult turn() {
        return cycle().runOnce();
    }

    /** Runs cycles until there is nothing to do but wait. */
    CycleResult run() {
        for (int i = 0; i < MAX_CYCLES; i++) {
            CycleResult turn = turn();
            if (!(turn instanceof CycleResult.Worked)) {
                return turn;
            }
        }
        throw new AssertionError("The cycle still finds work after " + MAX_CYCLES + " cycles.");
    }

    void loseLease() {
        leaseHolds = false;
    }

    int answersArrived() {
        return answersArrived;
    }

    int repeats() {
        return repeats;
    }

    /** The session of the cycle, without its settlements. Nobody listens to it. */
    abstract class SessionCallbacks implements RelayCycle.Callbacks {
        @Override
        public void answersArrived() {
            answersArrived++;
        }

        @Override
        public boolean mayPublish() {
            return leaseHolds;
        }

        @Override
        public UserCalls calls() {
            return calls;
        }

        @Override
        public void claimed(List<StoredEvent> events) {}

        @Override
        public RelayListener.Sending sending(
                Supplier<List<StoredEvent>> events, List<OutboundMessage> messages, Supplier<Duration> sinceClaim) {
            return RelayListener.Sending.IGNORED;
        }

        @Override
        public void repeats(int events) {
            repeats += events;
        }
    }
}
