package dev.waybill.jdbc;

import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** Outbox tables on MariaDB are stores, whatever their layout. */
class MariaDbTablesContractTest {

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    private abstract static class OfLayout extends StoreContract {
        private final TableLayout layout;
        private LayoutDatabase database;

        OfLayout(TableLayout layout) {
            this.layout = layout;
        }

        @BeforeAll
        void createTable() throws SQLException {
            database = LayoutDatabase.create(TableDialect.MARIADB);
            database.create(layout);
        }

        @Override
        protected StoreHarness newStore() {
            return new TableHarness(database, layout);
        }
    }

    @Nested
    class Waybill extends OfLayout {
        Waybill() {
            super(TableLayout.waybill());
        }
    }

    @Nested
    class Polyshop extends OfLayout {
        Polyshop() {
            super(TableLayout.polyshop());
        }
    }

    @Nested
    class Orders extends OfLayout {
        Orders() {
            super(TableLayout.orders());
        }
    }

    @Nested
    class Pubsub extends OfLayout {
        Pubsub() {
            super(TableLayout.pubsub());
        }
    }

    @Nested
    class Notifications extends OfLayout {
        Notifications() {
            super(TableLayout.notifications());
        }
    }
}
