package dev.waybill.postgres;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.util.List;
import java.util.Optional;

/** One epoch of a replay: a session that counts what it has sent, and ends the replay when it is through or cancelled. */
final class ReplaySession implements RelaySession {
    private final JournalSession session;
    private final SentCount sent;
    private final ReplayEnding ending;

    ReplaySession(JournalSession session, SentCount sent, ReplayEnding ending) {
        this.session = session;
        this.sent = sent;
        this.ending = ending;
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
        Optional<Batch> batch = session.claim(max);
        if (batch.isEmpty() && session.hasNothingOut()) {
            session.during("ending its replay", () -> {
                ending.endIfOver(session);
                return batch;
            });
        }
        return batch;
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
