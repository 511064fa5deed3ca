package dev.waybill.table;

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

    /** The default name. */
    public static final String TABLE = "ProcessedEvent";

    private ProcessedEvents() {}

    /** Creates the table in the schema of the layout's table, if it does not exist. */
    public static void create(Connection connection, TableLayout layout, String table) throws SQLException {
        TableDialect dialect = TableDialect.of(connection);
        String time = dialect.sql().type(layout, TableColumn.CREATED_AT);
        String sql = CREATE.replace("{guard}", TableText.beside(layout, dialect, table))
                .replace("{time}", time);
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.sql().withExactText(sql) + dialect.sql().tableOptions());
        }
    }
}
