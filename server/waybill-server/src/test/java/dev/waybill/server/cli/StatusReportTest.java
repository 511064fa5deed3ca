package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.spi.OwnerId;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class StatusReportTest {
    private final JdbcDataSource source = new JdbcDataSource();

    @Test
    void rows_hidden_by_a_null_are_reported() throws SQLException {
        source.setURL("jdbc:h2:mem:status;DB_CLOSE_DELAY=-1");
        TableLayout layout = TableLayout.polyshop();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            TableSchema.create(connection, layout);
            statement.execute("alter table outbox_events alter column processed set null");
        }
        TableStore store = TableStore.on(source, layout);
        store.open(new RelayName("shop"), new OwnerId("one"), Duration.ofSeconds(5))
                .orElseThrow()
                .close();
        assertThat(report(store).text(Terminal.NONE)).doesNotContain("hidden");
        assertThat(report(store).json().get(0)).containsEntry("hidden", 0L);

        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into outbox_events (id, aggregate_id, event_type, payload, version, processed,"
                    + " created_at) values (random_uuid(), 'a', 't', '{}', 1, null, current_timestamp)");
        }

        assertThat(report(store).text(Terminal.NONE))
                .contains("Relay shop: 1 row is hidden by a null")
                .contains("waybill doctor");
        assertThat(report(store).json().get(0)).containsEntry("hidden", 1L).containsEntry("backlog", 0L);
    }

    @Test
    void relays_of_tables_are_said_to_be_not_shared_unless_there_is_only_one() throws SQLException {
        source.setURL("jdbc:h2:mem:not-shared;DB_CLOSE_DELAY=-1");
        TableLayout layout = TableLayout.polyshop();
        try (Connection connection = source.getConnection()) {
            TableSchema.create(connection, layout);
        }
        TableStore store = TableStore.on(source, layout);

        assertThat(report(store, "shop").text(Terminal.NONE)).doesNotContain("Not shared");
        StatusReport several = report(store, "shop", "stock");
        assertThat(several.text(Terminal.NONE))
                .contains("Not shared evenly, because their stores have no register of processes: shop, stock.");
        assertThat(several.json()).allMatch(relay -> Boolean.FALSE.equals(relay.get("shareable")));
    }

    private static StatusReport report(TableStore store, String... configured) {
        StatusReport report = new StatusReport(false);
        report.add(new Stores.Named(
                "orders", store.admin(), Optional.empty(), new LinkedHashSet<>(List.of(configured)), Optional.empty()));
        return report;
    }
}
