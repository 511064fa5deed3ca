package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.testkit.AdminCost;
import dev.waybill.testkit.ExplainedStatements;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The backlog includes unpublished events with a lower seq than published ones. */
class LateBacklogTest extends JournalFixture {

    @Test
    void events_of_a_transaction_that_committed_late_are_in_the_backlog() throws SQLException {
        Connection late = begin();
        Connection undone = begin();
        try (RelaySession session = open()) {
            append(late, "a1", "a2");
            append(undone, "c1");
            for (int i = 1; i <= 3; i++) {
                append("b" + i);
                assertThat(drain(session)).containsExactly("b" + i);
            }
        }
        assertThat(status().backlog()).isZero();
        assertThat(status().oldest()).isEmpty();

        late.commit();
        undone.rollback();

        assertThat(status().backlog()).isEqualTo(2);
        assertThat(status().oldest()).isPresent();
        assertThat(drain(open())).containsExactly("a1", "a2");
    }

    @Test
    void inside_a_window_each_event_counts_once() throws SQLException {
        Connection late = begin();
        Connection later = begin();
        try (RelaySession session = open()) {
            append(late, "a1", "a2");
            append(later, "c1");
            append("b1");
            assertThat(drain(session)).containsExactly("b1");
            late.commit();
            append("b2", "b3");
            publish(session, session.claim(new Limits(1, 1_000_000)).orElseThrow());
        }
        later.commit();

        assertThat(status().backlog()).isEqualTo(4);
        try (RelaySession session = open()) {
            assertThat(drain(session)).containsExactlyInAnyOrder("a2", "b2", "b3", "c1");
        }
        assertThat(status().backlog()).isZero();
    }

    /** Of few large transactions, so that the planner would rather read along the primary key. */
    @Test
    void a_late_transaction_is_found_without_reading_the_events_below_the_position() throws SQLException {
        Connection late = begin();
        append(late, "a1");
        database.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                + " select 'b', 'Thing', n::text, '{}' from generate_series(1, 100000) n");
        journal(JournalOptions.Start.NOW)
                .open(RELAY, OWNER, LEASE)
                .orElseThrow()
                .close();
        late.commit();
        database.execute("vacuum analyze waybill.event");

        ExplainedStatements statements = new ExplainedStatements(database.dataSource());
        AdminCost cost = new AdminCost(
                "late",
                journal().admin(),
                PostgresJournal.on(statements.dataSource()).admin(),
                statements);
        assertThat(cost.of("status", StoreAdmin::relays, 500))
                .extracting(RelayStatus::backlog)
                .containsExactly(1L);
    }

    private PostgresJournal journal(JournalOptions.Start start) {
        return PostgresJournal.on(database.dataSource(), options().start(start));
    }

    private RelayStatus status() throws SQLException {
        return journal().admin().relays().get(0);
    }
}
