package dev.waybill.server.checkup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class RelayCheckupTest {
    private static final Duration TOO_LONG = Duration.ofHours(1);

    private final JdbcDataSource source = new JdbcDataSource();

    @Test
    void parked_rows_without_a_creation_time_are_a_warning_because_their_age_is_unknown() throws SQLException {
        TableStore store = withAParkedRow(TableLayout.debezium(), "checkup_debezium");

        Finding parked = parked(store.admin());

        assertThat(parked.severity()).isEqualTo(Finding.Severity.WARNING);
        assertThat(parked.what())
                .startsWith("1 event is parked")
                .contains("failed 1 time")
                .contains("last with: busy")
                .contains("for how long is unknown");
        assertThat(parked.remedy()).contains("waybill events --relay shop --state parked");
    }

    @Test
    void rows_that_were_parked_a_moment_ago_are_fine() throws SQLException {
        TableStore store = withAParkedRow(TableLayout.orders(), "checkup_orders");

        assertThat(parked(store.admin()).severity()).isEqualTo(Finding.Severity.FINE);
    }

    private TableStore withAParkedRow(TableLayout layout, String name) throws SQLException {
        source.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection()) {
            TableSchema.create(connection, layout);
            connection.setAutoCommit(false);
            JdbcOutbox.table(layout)
                    .append(
                            connection,
                            Event.of("thing.happened.v1")
                                    .aggregate("Thing", UUID.randomUUID().toString())
                                    .payload(Payload.json("{}")));
            connection.commit();
        }
        TableStore store =
                TableStore.on(source, layout, TableOptions.defaults().claiming(TableOptions.Claiming.COMPETING));
        try (RelaySession session = store.open(new RelayName("shop"), new OwnerId("one"), Duration.ofSeconds(30))
                .orElseThrow()) {
            session.settle(
                    session.claim(new Limits(1, 1_000_000)).orElseThrow(),
                    List.of(new Settlement.RetryAt(Instant.now().plus(TOO_LONG), "busy")));
        }
        return store;
    }

    private static Finding parked(StoreAdmin admin) {
        RelayStatus relay = admin.relays().get(0);
        assertThat(relay.parked()).isEqualTo(1);
        return new RelayCheckup(relay, List.of(), false)
                .findings(admin::parked, TOO_LONG).stream()
                        .filter(finding -> finding.subject().equals("parked"))
                        .findFirst()
                        .orElseThrow();
    }
}
