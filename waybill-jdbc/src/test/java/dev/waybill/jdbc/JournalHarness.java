package dev.waybill.jdbc;

import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.RelayName;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.ReplayHarness;
import dev.waybill.tck.StoredField;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/** An empty journal. */
final class JournalHarness implements ReplayHarness {
    private final JournalDatabase database;
    private final ManualClock clock = new ManualClock();
    private final PostgresJournal journal;
    private final StoreAdmin admin;

    JournalHarness(JournalDatabase database) {
        this.database = database;
        this.journal = PostgresJournal.on(database.dataSource(), JournalOptions.DEFAULT.withClock(clock));
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
    public Tx begin() {
        try {
            return new JdbcTx(database.begin(), JdbcOutbox.journal());
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
    public void close() {}
}
