package dev.waybill.postgres.relay;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.util.List;
import java.util.Optional;

/** One epoch of a replay: counts what was sent, and ends the replay when it is complete or cancelled. */
record ReplaySession(JournalSession session, SentCount sent, ReplayEnding ending) implements RelaySession {

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
        Optional<Batch> batch = session.claim(max);
        if (batch.isEmpty() && session.hasNothingInFlight()) {
            session.during("ending its replay", () -> {
                ending.endIfOver(session);
                return batch;
            });
        }
        return batch;
    }

    @Override
    public Optional<BesideClaims> besideClaims() {
        return Optional.empty();
    }

    @Override
    public void settle(Batch batch, List<Settlement> inClaimOrder) {
        sent.count(inClaimOrder);
        session.settle(batch, inClaimOrder);
    }

    @Override
    public void close() {
        session.close();
    }
}
