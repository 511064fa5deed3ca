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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Competing sessions forget within a minute what rows changed by SQL contradict. */
class CompetingSweepTest {
    private static final Settlement DEAD = new Settlement.Dead("refused", true, false);

    private TableFixture fixture;

    private RelaySession open(TableDialect dialect, TableLayout layout) throws SQLException {
        fixture = new TableFixture(dialect, layout).with(options -> options.claiming(TableOptions.Claiming.COMPETING));
        return fixture.open("one");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_failed_row_that_was_set_to_pending_by_sql_is_sent_within_a_minute(TableDialect dialect) throws SQLException {
        RelaySession session = open(dialect, TableLayout.notifications());
        RelaySession other = fixture.open("two");
        String id = fixture.append("a");
        String stays = fixture.append("b");
        TableFixture.drain(session, Map.of(id, DEAD, stays, DEAD));
        fixture.execute("update {table} set {state} = 'PENDING' where {id} = '" + id + "'");

        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).containsExactly(id);
        assertThat(TableFixture.drain(other)).isEmpty();
        assertThat(fixture.row(stays)).containsEntry("status", "FAILED");
        assertThat(sideRows()).hasSize(1);
    }

    @Test
    void a_row_whose_attempts_were_reset_by_sql_is_sent_within_a_minute() throws SQLException {
        RelaySession session = open(TableDialect.POSTGRESQL, TableLayout.pubsub());
        String id = fixture.append("a");
        TableFixture.drain(session, Map.of(id, DEAD));
        fixture.execute("update {table} set {attempts} = 0 where {id} = '" + id + "'");

        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_id_written_again_after_its_dead_row_was_deleted_is_sent(TableDialect dialect) throws SQLException {
        RelaySession session = open(dialect, TableLayout.debezium());
        String id = fixture.append("a");
        String stays = fixture.append("b");
        TableFixture.drain(session, Map.of(id, DEAD, stays, DEAD));
        fixture.execute("delete from {table} where {id} = '" + id + "'");
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).isEmpty();
        assertThat(sideRows()).hasSize(1);

        fixture.execute("insert into {table} ({id}, {aggregate_type}, {aggregate_id}, {type}, {payload}) values ('" + id
                + "', 'o', '1', 't', " + (dialect == TableDialect.H2 ? "json '{}'" : "'{}'") + ")");
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_row_deleted_while_it_waits_for_a_retry_leaves_no_side_row(TableDialect dialect) throws SQLException {
        RelaySession session = open(dialect, TableLayout.debezium());
        String gone = fixture.append("a");
        String stays = fixture.append("b");
        Settlement later = fixture.retryIn(Duration.ofHours(1));
        TableFixture.drain(session, Map.of(gone, later, stays, later));
        fixture.execute("delete from {table} where {id} = '" + gone + "'");

        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
        assertThat(sideRows()).containsExactly(Map.of("row_id", stays, "state", "retry"));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void the_lease_of_a_session_that_is_at_work_is_kept(TableDialect dialect) throws SQLException {
        RelaySession session = open(dialect, TableLayout.notifications());
        String id = fixture.append("a");
        Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
        fixture.execute("update {table} set {state} = 'PROCESSED' where {id} = '" + id + "'");

        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(fixture.open("two").claim(TableFixture.PLENTY)).isEmpty();
        RelaySession other = fixture.open("three");
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(other.claim(TableFixture.PLENTY)).isEmpty();
        assertThat(sideRows()).hasSize(1);
        TableFixture.publish(session, batch);
        assertThat(sideRows()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void the_lease_of_a_row_that_was_marked_by_sql_while_it_was_sent_is_released_when_sending_fails(
            TableDialect dialect) throws SQLException {
        RelaySession session = open(dialect, TableLayout.notifications());
        String retried = fixture.append("a");
        String dead = fixture.append("b");
        Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
        fixture.execute("update {table} set {state} = 'PROCESSED'");
        session.settle(batch, List.of(fixture.retryIn(Duration.ofSeconds(1)), DEAD));
        assertThat(sideRows()).isEmpty();

        fixture.execute("update {table} set {state} = 'PENDING'");
        fixture.passNanos(Duration.ofSeconds(2));
        assertThat(TableFixture.drain(session)).containsExactlyInAnyOrder(retried, dead);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void the_lease_of_a_row_that_was_deleted_while_it_was_sent_is_released_when_sending_fails(TableDialect dialect)
            throws SQLException {
        RelaySession session = open(dialect, TableLayout.debezium());
        fixture.append("a");
        Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
        fixture.execute("delete from {table}");
        session.settle(batch, List.of(fixture.retryIn(Duration.ofSeconds(1))));
        assertThat(sideRows()).isEmpty();
    }

    @Test
    void a_row_that_somebody_has_locked_waits_for_the_next_minute() throws SQLException {
        RelaySession session = open(TableDialect.POSTGRESQL, TableLayout.notifications());
        String id = fixture.append("a");
        TableFixture.drain(session, Map.of(id, DEAD));
        fixture.execute("update {table} set {state} = 'PENDING' where {id} = '" + id + "'");
        try (Connection locker = fixture.database.begin();
                Statement lock = locker.createStatement()) {
            lock.execute("select 1 from \"EventOutbox\" where event_id = '" + id + "' for update");
            fixture.passNanos(Duration.ofSeconds(61));
            assertThat(TableFixture.drain(session)).isEmpty();
            assertThat(sideRows()).hasSize(1);
            locker.rollback();
        }
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).containsExactly(id);
    }

    private List<Map<String, Object>> sideRows() throws SQLException {
        return fixture.database.rows("select row_id, state from waybill_claim");
    }
}
