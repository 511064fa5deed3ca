package dev.waybill.tck;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Only the part of {@link StoreContract} on failing calls, for a store in a different mode from the one that passes the
 * rest.
 */
public abstract class FailingCallsContract extends StoreFixture {
    @Override
    protected abstract StoreHarness newStore();

    /** As in {@link StoreContract}. */
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
