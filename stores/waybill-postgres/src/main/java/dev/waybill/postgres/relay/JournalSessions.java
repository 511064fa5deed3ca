package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalInspection;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
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
    private interface Kind {
        /** Throws if there is none of this name, and may create it. */
        void require(JournalConnection connection, String systemId) throws SQLException;

        RelaySession begin(JournalConnection connection, LeaseRequest.Granted granted) throws SQLException;
    }

    public JournalSessions(DataSource dataSource, JournalSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
        this.renewals = new LeaseRenewals(dataSource);
    }

    /** @return empty while another owner has the lease */
    public Optional<RelaySession> openRelay(RelayName relay, OwnerId owner, Duration lease) {
        return open(new LeaseRequest(renewals, relay, owner, lease), new Kind() {
            @Override
            public void require(JournalConnection connection, String systemId) throws SQLException {
                new RelayRegistration(connection, relay).requireOrCreate(systemId, settings);
            }

            @Override
            public RelaySession begin(JournalConnection connection, LeaseRequest.Granted granted) throws SQLException {
                JournalLease held = granted.lease();
                WindowReader reader = new WindowReader(connection, poller(connection, held));
                reader.moveTo(granted.position());
                return new JournalSession(
                        held, connection, settings.clock(), reader, new PositionSaver(connection, held, settings));
            }
        });
    }

    /** @return empty while another owner has the lease */
    public Optional<RelaySession> openReplay(RelayName replay, OwnerId owner, Duration lease) {
        return open(new LeaseRequest(renewals, replay, owner, lease), new Kind() {
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

    private Optional<RelaySession> open(LeaseRequest request, Kind kind) {
        return JournalConnection.session(() -> JournalConnection.open(dataSource), request.relay(), connection -> {
            String systemId = JournalInspection.require(connection, request.relay(), settings);
            kind.require(connection, systemId);
            return request.isFree(connection, systemId)
                    ? renewals.whileConnected(() -> begin(connection, request, systemId, kind))
                    : Optional.empty();
        });
    }

    private static Optional<RelaySession> begin(
            JournalConnection connection, LeaseRequest request, String systemId, Kind kind) throws SQLException {
        Optional<LeaseRequest.Granted> granted = request.acquire(connection, systemId);
        return granted.isEmpty() ? Optional.empty() : Optional.of(kind.begin(connection, granted.get()));
    }
}
