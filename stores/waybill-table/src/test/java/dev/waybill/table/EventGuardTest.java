package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An event recorded as published is not sent again; one whose processing only began is. */
class EventGuardTest {
    private TableFixture fixture;
    private RelaySession session;

    private void open(TableDialect dialect) throws SQLException {
        open(dialect, TableOptions.Claiming.ORDERED);
    }

    private void open(TableDialect dialect, TableOptions.Claiming claiming) throws SQLException {
        fixture = new TableFixture(dialect, TableLayout.notifications())
                .with(options -> options.guard(ProcessedEvents.TABLE).claiming(claiming));
        try (Connection connection = fixture.database.connect()) {
            ProcessedEvents.create(connection, fixture.layout, ProcessedEvents.TABLE);
        }
        session = fixture.open("one");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_is_processing_while_in_flight_and_success_once_it_is_marked(TableDialect dialect)
            throws SQLException {
        open(dialect);
        String id = fixture.append("a");
        Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(status(id)).isEqualTo("PROCESSING");
        assertThat(fixture.row(id)).containsEntry("status", "PENDING");

        TableFixture.publish(session, batch);
        assertThat(status(id)).isEqualTo("SUCCESS");
        assertThat(fixture.row(id)).containsEntry("status", "PROCESSED");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_recorded_as_success_is_marked_and_not_sent_again(TableDialect dialect) throws SQLException {
        open(dialect);
        String known = fixture.append("a");
        String other = fixture.append("b");
        fixture.database.execute("insert into " + table() + " values ('" + known
                + "', 'SUCCESS', current_timestamp, current_timestamp)");

        assertThat(TableFixture.drain(session)).containsExactly(other);
        assertThat(fixture.row(known)).containsEntry("status", "PROCESSED");
        assertThat(fixture.row(known).get("published_at")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_that_a_dead_process_began_is_sent_again(TableDialect dialect) throws SQLException {
        open(dialect);
        String id = fixture.append("a");
        assertThat(session.claim(TableFixture.PLENTY)).isPresent();
        session.close();

        assertThat(TableFixture.drain(fixture.open("two"))).containsExactly(id);
        assertThat(status(id)).isEqualTo("SUCCESS");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_dead_event_is_recorded_as_failed(TableDialect dialect) throws SQLException {
        open(dialect);
        String id = fixture.append("a");
        TableFixture.drain(session, Map.of(id, new Settlement.Dead("no such exchange", true, false)));

        assertThat(status(id)).isEqualTo("FAILED");
        assertThat(fixture.row(id)).containsEntry("status", "FAILED");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_locked_row_recorded_as_success_does_not_stop_others_and_is_marked_once_it_is_free(TableDialect dialect)
            throws SQLException {
        for (TableOptions.Claiming claiming : TableOptions.Claiming.values()) {
            open(dialect, claiming);
            String known = fixture.append("a");
            String other = fixture.append("b");
            fixture.database.execute("insert into " + table() + " values ('" + known
                    + "', 'SUCCESS', current_timestamp, current_timestamp)");
            try (Connection locker = fixture.database.begin();
                    Statement lock = locker.createStatement()) {
                lock.execute("select 1 from " + dialect.quote(fixture.layout.table()) + " where event_id = '" + known
                        + "' for update");
                assertThat(TableFixture.drain(session)).containsExactly(other);
                assertThat(fixture.row(known)).containsEntry("status", "PENDING");
                locker.rollback();
            }
            assertThat(TableFixture.drain(session)).isEmpty();
            assertThat(fixture.row(known)).containsEntry("status", "PROCESSED");
            fixture.close();
        }
    }

    private Object status(String id) throws SQLException {
        List<Map<String, Object>> rows =
                fixture.database.rows("select status from " + table() + " where event_id = '" + id + "'");
        return rows.isEmpty() ? "none" : rows.get(0).get("status");
    }

    private String table() {
        return fixture.database.dialect().quote(ProcessedEvents.TABLE);
    }
}
