package dev.waybill.spring;

import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.table.TableSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Creates the tables of an outbox and of the inbox in a migration, as {@code schema: create} does at the start. */
final class OutboxTables {
    private OutboxTables() {}

    /**
     * @param layout if empty: the journal on PostgreSQL, Waybill's own table on other databases
     */
    static void create(Connection connection, Optional<TableLayout> layout) throws SQLException {
        if (layout.isEmpty() && TableDialect.of(connection) == TableDialect.POSTGRESQL) {
            JournalSchema.create(connection);
        } else {
            TableSchema.create(connection, layout.orElseGet(TableLayout::waybill));
        }
        JdbcInbox.of(InboxLayout.waybill()).create(connection);
    }
}
