package dev.waybill.tck;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every call fails in turn: a scenario is run with its first call to the database failing, then its second, and so on
 * until a run has no failure, in each of the ways a call can fail. After each run no event is lost, delivered after a
 * rollback, out of order, stuck or miscounted, and no connection is left open.
 */
abstract class FaultContract extends ChanceContract {
    /** Number of failures in a normal run; empty if every call fails in every run. */
    protected OptionalInt sampledFailures() {
        return OptionalInt.empty();
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void whichever_call_fails_nothing_is_lost() {
        FailEveryCall calls = new FailEveryCall(getClass().getSimpleName(), harness(), this::newStore);
        sampledFailures().ifPresentOrElse(calls::sample, calls::inOneWay);
    }

    @Test
    @Tag("full")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void whichever_call_fails_in_whichever_way_nothing_is_lost() {
        new FailEveryCall(getClass().getSimpleName(), harness(), this::newStore).inEveryWay();
    }
}
