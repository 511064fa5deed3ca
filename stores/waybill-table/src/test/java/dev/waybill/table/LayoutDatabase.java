package dev.waybill.table;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.testkit.Database;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** An empty database for an outbox table. */
public final class LayoutDatabase extends EmptyDatabase {
    private final TableDialect dialect;

    public LayoutDatabase(TableDialect dialect, DataSource dataSource) {
        super(Database.valueOf(dialect.name()), dataSource);
        this.dialect = dialect;
    }

    public static LayoutDatabase create(TableDialect dialect) {
        return new LayoutDatabase(dialect, newSource(Database.valueOf(dialect.name())));
    }

    /** A database with the tables of a layout. */
    public static LayoutDatabase create(TableDialect dialect, TableLayout layout) throws SQLException {
        LayoutDatabase database = create(dialect);
        database.create(layout);
        return database;
    }

    public TableDialect dialect() {
        return dialect;
    }

    public TableSchema.Created create(TableLayout layout) throws SQLException {
        try (Connection connection = connect()) {
            return TableSchema.create(connection, layout);
        }
    }
}
