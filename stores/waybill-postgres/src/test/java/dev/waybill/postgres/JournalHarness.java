package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.ReplayHarness;
import dev.waybill.tck.StoredField;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.testkit.JdbcFaults;
import dev.waybill.testkit.JdbcTx;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Gives the contracts an empty journal. */
public final class JournalHarness implements ReplayHarness {
    private final JournalDatabase database;
    private final ManualClock clock = new ManualClock();
    private final JdbcFaults faults;
    private final PostgresJournal journal;
    private final StoreAdmin admin;

    public JournalHarness(JournalDatabase database) {
        this.database = database;
        this.faults = JdbcFaults.onPostgres(database.kept());
        this.journal = PostgresJournal.on(
                faults.dataSource(), JournalOptions.defaults().clock(clock));
        this.admin = journal.admin();
        database.empty();
    }

    @Override
    public EventStore store() {
        return journal;
    }

    @Override
    public StoreAdmin admin() {
        return admin;
    }

    @Override
    public ReplayAdmin replays() {
        return journal.replays();
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public boolean ordered() {
        return true;
    }

    @Override
    public boolean severalRelays() {
        return true;
    }

    @Override
    public Tx begin() {
        try {
            Connection connection = faults.dataSource().getConnection();
            connection.setAutoCommit(false);
            return new JdbcTx(connection, JdbcOutbox.journal());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Set<StoredField> keeps() {
        return EnumSet.allOf(StoredField.class);
    }

    @Override
    public String aggregateId(String name) {
        return name;
    }

    @Override
    public void expireLease(RelayName relay) {
        try {
            database.execute(
                    "update waybill.lease set lease_until = clock_timestamp() - interval '1 ms' where relay = '" + relay
                            + "'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<FaultInjection> faults() {
        return Optional.of(faults);
    }

    @Override
    public Optional<ForeignWorker> foreignWorker() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
