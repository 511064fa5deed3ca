package dev.waybill.table;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.testkit.Database;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** An empty database that an outbox table can be made in. */
final class LayoutDatabase extends EmptyDatabase {
    private final TableDialect dialect;

    LayoutDatabase(TableDialect dialect, DataSource dataSource) {
        super(Database.valueOf(dialect.name()), dataSource);
        this.dialect = dialect;
    }

    static LayoutDatabase create(TableDialect dialect) {
        return new LayoutDatabase(dialect, newSource(Database.valueOf(dialect.name())));
    }

    TableDialect dialect() {
        return dialect;
    }

    TableSchema.Created create(TableLayout layout) throws SQLException {
        try (Connection connection = connect()) {
            return TableSchema.create(connection, layout);
        }
    }
}
