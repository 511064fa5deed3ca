package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was recorded as published is not sent again, and what only was begun is. */
class EventGuardTest {
    private TableWorld world;
    private RelaySession session;

    private void open(TableDialect dialect) throws SQLException {
        world = new TableWorld(dialect, TableLayout.notifications())
                .with(options -> options.guard(ProcessedEvents.TABLE));
        try (Connection connection = world.database.connect()) {
            ProcessedEvents.create(connection, world.layout, ProcessedEvents.TABLE);
        }
        session = world.open("one");
    }

    @AfterEach
    void close() {
        world.close();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_is_processing_while_it_is_out_and_a_success_once_it_is_marked(TableDialect dialect)
            throws SQLException {
        open(dialect);
        String id = world.append("a");
        Batch batch = session.claim(TableWorld.PLENTY).orElseThrow();
        assertThat(status(id)).isEqualTo("PROCESSING");
        assertThat(world.row(id)).containsEntry("status", "PENDING");

        TableWorld.publish(session, batch);
        assertThat(status(id)).isEqualTo("SUCCESS");
        assertThat(world.row(id)).containsEntry("status", "PROCESSED");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_success_is_not_sent_again_but_marked(TableDialect dialect) throws SQLException {
        open(dialect);
        String known = world.append("a");
        String other = world.append("b");
        world.database.execute("insert into " + table() + " values ('" + known
                + "', 'SUCCESS', current_timestamp, current_timestamp)");

        assertThat(TableWorld.drain(session)).containsExactly(other);
        assertThat(world.row(known)).containsEntry("status", "PROCESSED");
        assertThat(world.row(known).get("published_at")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void what_a_dead_process_had_begun_is_sent_again(TableDialect dialect) throws SQLException {
        open(dialect);
        String id = world.append("a");
        assertThat(session.claim(TableWorld.PLENTY)).isPresent();
        session.close();

        assertThat(TableWorld.drain(world.open("two"))).containsExactly(id);
        assertThat(status(id)).isEqualTo("SUCCESS");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void what_was_given_up_is_recorded_as_failed(TableDialect dialect) throws SQLException {
        open(dialect);
        String id = world.append("a");
        TableWorld.drain(session, Map.of(id, new Settlement.Dead("no such exchange", true, false)));

        assertThat(status(id)).isEqualTo("FAILED");
        assertThat(world.row(id)).containsEntry("status", "FAILED");
    }

    private Object status(String id) throws SQLException {
        List<Map<String, Object>> rows =
                world.database.rows("select status from " + table() + " where event_id = '" + id + "'");
        return rows.isEmpty() ? "none" : rows.get(0).get("status");
    }

    private String table() {
        return world.database.dialect().quote(ProcessedEvents.TABLE);
    }
}
