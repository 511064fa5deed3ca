package dev.waybill.relay;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A session that fails or waits where the test says, and otherwise does what the one it stands before does. */
final class FaultySession implements RelaySession {
    private final RelaySession real;
    private BooleanSupplier renewal;
    private Runnable beforeClaim = () -> {};
    private Runnable beforeSettle = () -> {};
    private Runnable beforeClose = () -> {};

    FaultySession(RelaySession real) {
        this.real = real;
        this.renewal = real::renew;
    }

    FaultySession renewing(BooleanSupplier instead) {
        renewal = instead;
        return this;
    }

    FaultySession beforeClaim(Runnable fault) {
        beforeClaim = fault;
        return this;
    }

    FaultySession beforeSettle(Runnable fault) {
        beforeSettle = fault;
        return this;
    }

    FaultySession beforeClose(Runnable fault) {
        beforeClose = fault;
        return this;
    }

    @Override
    public long epoch() {
        return real.epoch();
    }

    @Override
    public boolean renew() {
        return renewal.getAsBoolean();
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        beforeClaim.run();
        return real.claim(max);
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        beforeSettle.run();
        real.settle(batch, inClaimOrder);
    }

    @Override
    public void close() {
        beforeClose.run();
        real.close();
    }
}
