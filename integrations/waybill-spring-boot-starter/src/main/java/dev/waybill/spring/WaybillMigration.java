package dev.waybill.spring;

import dev.waybill.jdbc.layout.TableLayout;
import java.util.Optional;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;

/**
 * A migration of Flyway that creates the tables of an outbox and of the inbox, or brings them to the version of this Waybill. Extend
 * it, with the version as part of the name:
 *
 * <pre>{@code
 * package db.migration;
 *
 * public class V7__waybill extends WaybillMigration {}
 * }</pre>
 *
 * A later version of Waybill may need more tables: its notes say so, and a second such class creates them.
 */
public abstract class WaybillMigration extends BaseJavaMigration {
    @Override
    public void migrate(Context context) throws Exception {
        OutboxTables.create(context.getConnection(), layout());
    }

    /** Override it for a table of this layout. Default: the journal on PostgreSQL, Waybill's own table on other databases. */
    protected Optional<TableLayout> layout() {
        return Optional.empty();
    }
}
