package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.testkit.BrokenConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After anything thrown in a transaction on an outbox table, even an Error, nothing is committed. */
class TableErrorsRollBackTest {
    private static final String WRITE = "insert into written default values";
    private final LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL);
    private final TableLayout layout = TableLayout.orders();

    @BeforeEach
    void makeTable() throws SQLException {
        database.execute("create table written (at timestamptz default now())");
    }

    private List<Map<String, Object>> written() throws SQLException {
        return database.rows("select at from written");
    }

    @Test
    void an_error_in_a_transaction_of_an_outbox_table_commits_nothing() throws SQLException {
        TableConnection connection = TableConnection.open(database.dataSource(), layout);
        assertThatThrownBy(() -> connection.inTransaction(() -> {
                    connection.prepare(WRITE).executeUpdate();
                    throw new OutOfMemoryError("not really");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        connection.closeQuietly();

        assertThat(written()).isEmpty();
    }

    @Test
    void a_rollback_that_fails_closes_an_outbox_tables_connection() throws SQLException {
        TableConnection connection =
                TableConnection.open(BrokenConnections.withoutRollback(database.dataSource()), layout);
        assertThatThrownBy(() -> connection.inTransaction(() -> {
                    connection.prepare(WRITE).executeUpdate();
                    throw new IllegalStateException("a bug");
                }))
                .isInstanceOf(IllegalStateException.class);
        connection.closeQuietly();

        assertThat(written()).isEmpty();
    }

    @Test
    void an_error_while_an_outbox_table_is_created_leaves_nothing_behind() throws SQLException {
        LayoutDatabase empty = LayoutDatabase.create(TableDialect.POSTGRESQL);
        try (Connection connection = empty.connect()) {
            Connection failing = BrokenConnections.failingAt(connection, "create index");
            assertThatThrownBy(() -> TableSchema.create(failing, layout)).isInstanceOf(OutOfMemoryError.class);
        }

        assertThat(empty.rows("select tablename from pg_tables where schemaname = current_schema()"))
                .isEmpty();
    }
}
