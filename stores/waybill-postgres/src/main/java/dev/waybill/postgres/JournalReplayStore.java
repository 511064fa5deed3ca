package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** The journal as replays see it. */
final class JournalReplayStore implements EventStore {
    private final DataSource dataSource;
    private final JournalOptions options;
    private final LeaseRenewals renewals;

    JournalReplayStore(DataSource dataSource, JournalOptions options, LeaseRenewals renewals) {
        this.dataSource = dataSource;
        this.options = options;
        this.renewals = renewals;
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return new PostgresJournalAdmin(dataSource, options)
                .purge(olderThan, atMost)
                .more();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return JournalConnection.session(
                () -> JournalConnection.open(dataSource),
                relay,
                connection -> open(connection, new JournalLease.Wanted(renewals, relay, owner, lease)));
    }

    private Optional<RelaySession> open(JournalConnection connection, JournalLease.Wanted wanted) throws SQLException {
        RelayName name = wanted.relay();
        String systemId = JournalGate.inspect(connection, name);
        JournalEnvironment.require(connection, name, options.environment());
        JournalGate.requireStandbysSeen(connection, name, options.waitFor());
        if (!JournalReplays.isReplay(connection, name)) {
            throw JournalGate.refuse(
                    name, "there is no replay of this name", "It was dropped, or never started: start one first.");
        }
        return JournalGate.isFree(connection, wanted, systemId)
                ? renewals.whileConnected(() -> begin(connection, wanted, systemId))
                : Optional.empty();
    }

    private Optional<RelaySession> begin(JournalConnection connection, JournalLease.Wanted wanted, String systemId)
            throws SQLException {
        Optional<JournalGate.Entered> entered = JournalGate.enter(connection, wanted, systemId);
        if (entered.isEmpty()) {
            return Optional.empty();
        }
        JournalLease held = entered.get().lease();
        ReplayReader reader = new ReplayReader(connection, held, entered.get().position(), options.waitFor());
        SentCount sent = new SentCount(connection, wanted.relay());
        JournalSession session = new JournalSession(
                held, connection, options, reader, new PositionSaver(connection, held, options, sent));
        return Optional.of(new ReplaySession(session, sent, new ReplayEnding(connection, wanted.relay())));
    }
}
