package dev.waybill.jdbc;

import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.RelayName;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import dev.waybill.tck.StoredField;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/** The journal is a store. */
class JournalContractTest extends StoreContract {
    private static final JournalDatabase DATABASE = JournalDatabase.create();

    @Override
    protected StoreHarness newStore() {
        return new JournalHarness();
    }

    private static final class JournalHarness implements StoreHarness {
        private final ManualClock clock = new ManualClock();
        private final PostgresJournal journal =
                PostgresJournal.on(DATABASE.dataSource(), JournalOptions.DEFAULT.withClock(clock));
        private final StoreAdmin admin = journal.admin();

        JournalHarness() {
            DATABASE.empty();
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
        public ManualClock clock() {
            return clock;
        }

        @Override
        public Tx begin() {
            try {
                return new JdbcTx(DATABASE.begin(), JdbcOutbox.journal());
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
                DATABASE.execute(
                        "update waybill.relay set lease_until = clock_timestamp() - interval '1 ms' where name = '"
                                + relay + "'");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
