package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalInspection;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.transaction.WindowSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Opens the sessions of a journal's relays and replays. */
public final class JournalSessions {
    private final DataSource dataSource;
    private final JournalSettings settings;
    private final LeaseRenewals renewals;

    /** What a session is opened for. */
    private interface Kind<S> {
        /** Throws if there is none of this name, and may create it. */
        void require(JournalConnection connection, String systemId) throws SQLException;

        S begin(JournalConnection connection, LeaseRequest.Granted granted) throws SQLException;
    }

    public JournalSessions(DataSource dataSource, JournalSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.renewals = new LeaseRenewals(dataSource);
    }

    /** @return empty while another owner has the lease */
    public Optional<RelaySession> openRelay(RelayName relay, OwnerId owner, Duration lease) {
        return open(new LeaseRequest(renewals, relay, owner, lease), new Kind<RelaySession>() {
            @Override
            public void require(JournalConnection connection, String systemId) throws SQLException {
                new RelayRegistration(connection, relay).requireOrCreate(systemId, settings);
            }

            @Override
            public RelaySession begin(JournalConnection connection, LeaseRequest.Granted granted) throws SQLException {
                JournalLease held = granted.lease();
                OpenWindows windows = new OpenWindows(connection, held);
                boolean afterWindows = windows.forget();
                JournalSession session = new JournalSession(
                        held,
                        connection,
                        settings.clock(),
                        reader(connection, granted),
                        new PositionSaver(connection, held, settings));
                return afterWindows
                        ? new JournalSessionAfterWindows(session, windows, StoreOrigin.of(connection))
                        : session;
            }
        });
    }

    /** As {@link WindowSession#origin}, without a session. */
    public String origin() {
        return JournalConnection.once(dataSource, "reading the origin of the journal", StoreOrigin::of);
    }

    /** @return empty while another owner has the lease */
    public Optional<WindowSession> openWindows(RelayName relay, OwnerId owner, Duration lease) {
        return open(new LeaseRequest(renewals, relay, owner, lease), new Kind<WindowSession>() {
            @Override
            public void require(JournalConnection connection, String systemId) throws SQLException {
                new RelayRegistration(connection, relay).requireOrCreate(systemId, settings);
            }

            @Override
            public WindowSession begin(JournalConnection connection, LeaseRequest.Granted granted) throws SQLException {
                JournalLease held = granted.lease();
                OpenWindows windows = new OpenWindows(connection, held);
                windows.begin();
                CommittedPosition committed = new CommittedPosition(connection, held, windows);
                committed.load(granted.committed());
                return new JournalWindowSession(
                        reader(connection, granted),
                        new PositionSaver(connection, held, settings, committed),
                        committed,
                        settings.clock(),
                        StoreOrigin.of(connection));
            }
        });
    }

    private WindowReader reader(JournalConnection connection, LeaseRequest.Granted granted) throws SQLException {
        WindowReader reader = new WindowReader(connection, poller(connection, granted.lease()));
        reader.moveTo(granted.position());
        return reader;
    }

    /** @return empty while another owner has the lease */
    public Optional<RelaySession> openReplay(RelayName replay, OwnerId owner, Duration lease) {
        return open(new LeaseRequest(renewals, replay, owner, lease), new Kind<RelaySession>() {
            @Override
            public void require(JournalConnection connection, String systemId) throws SQLException {
                if (!JournalReplays.isReplay(connection, replay)) {
                    throw JournalInspection.refusal(
                            replay,
                            "there is no replay of this name",
                            "It was dropped, or never started: start one first.");
                }
            }

            @Override
            public RelaySession begin(JournalConnection connection, LeaseRequest.Granted granted) throws SQLException {
                JournalLease held = granted.lease();
                ReplayReader reader = new ReplayReader(connection, poller(connection, held), granted.position());
                SentCount sent = new SentCount(connection, replay);
                PositionSaver saver = new PositionSaver(connection, held, settings, sent);
                return new ReplaySession(
                        new JournalSession(held, connection, settings.clock(), reader, saver),
                        sent,
                        new ReplayEnding(connection, replay));
            }
        });
    }

    private Poller poller(JournalConnection connection, JournalLease lease) throws SQLException {
        return new Poller(connection, lease.relay(), lease.epoch(), settings.durability());
    }

    private <S> Optional<S> open(LeaseRequest request, Kind<S> kind) {
        return JournalConnection.session(() -> JournalConnection.open(dataSource), request.relay(), connection -> {
            String systemId = JournalInspection.require(connection, request.relay(), settings);
            kind.require(connection, systemId);
            return request.isFree(connection, systemId)
                    ? renewals.whileConnected(() -> begin(connection, request, systemId, kind))
                    : Optional.empty();
        });
    }

    private static <S> Optional<S> begin(
            JournalConnection connection, LeaseRequest request, String systemId, Kind<S> kind) throws SQLException {
        Optional<LeaseRequest.Granted> granted = request.acquire(connection, systemId);
        return granted.isEmpty() ? Optional.empty() : Optional.of(kind.begin(connection, granted.get()));
    }
}
