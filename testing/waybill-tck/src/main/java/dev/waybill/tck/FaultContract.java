package dev.waybill.tck;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every call fails in turn: a scenario is run with its first call to the database failing, then its second, and so on until
 * a run meets no failure, in each of the ways a call can fail. After each run nothing is lost, delivered though rolled back,
 * out of order, stuck or counted wrongly, and no connection is left open.
 */
abstract class FaultContract extends ChanceContract {
    /** How many failures a normal run tries; nothing where every call fails in every run. */
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
