package dev.waybill.table.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.LayoutDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableReaderTest {

    @Test
    void a_row_that_is_deleted_before_its_large_payload_is_fetched_is_left_out() throws SQLException {
        LayoutDatabase database = LayoutDatabase.create(TableDialect.POSTGRESQL, TableLayout.waybill());
        try (Connection transaction = database.begin()) {
            JdbcOutbox.table(TableLayout.waybill()).append(transaction, large("stays"), large("goes"));
            transaction.commit();
        }
        TableConnection connection = TableConnection.open(database.dataSource(), TableLayout.waybill());
        try {
            TableReader reader = new TableReader(connection);
            List<TableRow> page = reader.page(TablePosition.START, TablePosition.START, 10);
            assertThat(page).hasSize(2).allMatch(TableRow::isToBeFilled);

            database.execute("delete from waybill_event where aggregate_id = 'goes'");

            assertThat(reader.fill(page)).singleElement().satisfies(row -> {
                assertThat(row.aggregateId()).hasToString("stays");
                assertThat(row.payload()).hasSizeGreaterThan(20_000);
            });
        } finally {
            connection.closeQuietly();
        }
    }

    private static Event large(String aggregateId) {
        return Event.of("order.placed.v1")
                .aggregate("Order", aggregateId)
                .payload(Payload.json("\"" + "x".repeat(20_000) + "\""));
    }
}
