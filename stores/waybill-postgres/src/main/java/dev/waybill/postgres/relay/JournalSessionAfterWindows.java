package dev.waybill.postgres.relay;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.transaction.AfterWindows;
import java.util.List;
import java.util.Optional;

/** One epoch of a relay that delivered exactly once before. */
record JournalSessionAfterWindows(JournalSession session, OpenWindows windows, String origin) implements AfterWindows {

    @Override
    public void writerEnded() {
        session.during("recording that its last writer is ended", () -> {
            windows.ended();
            return session;
        });
    }

    @Override
    public long epoch() {
        return session.epoch();
    }

    @Override
    public boolean renew() {
        return session.renew();
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        return session.claim(max);
    }

    @Override
    public Optional<BesideClaims> besideClaims() {
        return session.besideClaims();
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        session.settle(batch, inClaimOrder);
    }

    @Override
    public void close() {
        session.close();
    }
}
