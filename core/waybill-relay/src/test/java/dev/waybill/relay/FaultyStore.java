package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Delegates to another store, counts the calls, and fails or waits before those that the test chooses. */
final class FaultyStore implements EventStore {
    private final EventStore real;
    private final Map<Call, Runnable> faults = new ConcurrentHashMap<>();
    private final Map<Call, Integer> calls = new ConcurrentHashMap<>();

    enum Call {
        OPEN,
        RENEW,
        CLAIM,
        SETTLE,
        CLOSE
    }

    FaultyStore(EventStore real) {
        this.real = real;
    }

    /** From now on, runs this before the call; it may throw or wait. */
    void before(Call call, Runnable fault) {
        faults.put(call, fault);
    }

    void mend() {
        faults.clear();
    }

    int calls(Call call) {
        return calls.getOrDefault(call, 0);
    }

    private void called(Call call) {
        calls.merge(call, 1, Integer::sum);
        faults.getOrDefault(call, () -> {}).run();
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return real.purge(olderThan, atMost);
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        called(Call.OPEN);
        return real.open(relay, owner, lease).map(Session::new);
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return real.processes();
    }

    private final class Session implements RelaySession {
        private final RelaySession session;

        Session(RelaySession session) {
            this.session = session;
        }

        @Override
        public long epoch() {
            return session.epoch();
        }

        @Override
        public boolean renew() {
            called(Call.RENEW);
            return session.renew();
        }

        @Override
        public Optional<Batch> claim(Limits max) {
            called(Call.CLAIM);
            return session.claim(max);
        }

        @Override
        public Optional<BesideClaims> besideClaims() {
            return session.besideClaims().map(beside -> batch -> {
                called(Call.SETTLE);
                beside.published(batch);
            });
        }

        @Override
        public void settle(Batch batch, List<Settlement> inClaimOrder) {
            called(Call.SETTLE);
            session.settle(batch, inClaimOrder);
        }

        @Override
        public void close() {
            called(Call.CLOSE);
            session.close();
        }
    }
}
