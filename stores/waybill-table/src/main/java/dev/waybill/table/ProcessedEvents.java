package dev.waybill.table;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import dev.waybill.jdbc.layout.KnownTimes;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.rows.TableText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The table for {@link TableOptions#guard}: a unique {@code event_id}, a {@code status} and two times. */
public final class ProcessedEvents {
    private static final String CREATE = """
            create table if not exists {guard} (
                event_id varchar(255) not null primary key,
                status varchar(20) not null,
                created_at {time} not null,
                updated_at {time} not null)""";

    private static final String GRANT = "grant select, insert, update on {guard} to ";

    /** The default name. */
    public static final String TABLE = "ProcessedEvent";

    private ProcessedEvents() {}

    /** Creates the table in the schema of the layout's table, with times of the same type, if it does not exist. */
    public static void create(Connection connection, TableLayout layout, String table) throws SQLException {
        TableLayout known = KnownTimes.of(connection, layout).orElse(layout);
        execute(connection, statement(known, TableDialect.of(connection), table));
    }

    /** The statement of {@link #create}. */
    public static String script(TableLayout layout, TableDialect dialect, String table) {
        return statement(layout, dialect, table) + ";\n";
    }

    /** Grants the role of relays the privileges it needs; other roles need none. */
    public static void grant(Connection connection, TableLayout layout, String table, DatabaseRoles roles)
            throws SQLException {
        if (roles.relay().isPresent()) {
            execute(
                    connection,
                    grant(
                            layout,
                            TableDialect.of(connection),
                            table,
                            roles.relay().get()));
        }
    }

    /** The statement of {@link #grant}; empty without a role for relays. */
    public static String grants(TableLayout layout, TableDialect dialect, String table, DatabaseRoles roles) {
        return roles.relay()
                .map(role -> grant(layout, dialect, table, role) + ";\n")
                .orElse("");
    }

    private static String statement(TableLayout layout, TableDialect dialect, String table) {
        String sql = CREATE.replace("{guard}", TableText.beside(layout, dialect, table))
                .replace("{time}", dialect.sql().type(layout, TableColumn.CREATED_AT));
        return dialect.sql().withExactText(sql) + dialect.sql().tableOptions();
    }

    private static String grant(TableLayout layout, TableDialect dialect, String table, String role) {
        return GRANT.replace("{guard}", TableText.beside(layout, dialect, table))
                + (dialect == TableDialect.POSTGRESQL ? SqlIdentifier.quoteRole(role) : dialect.quote(role));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
