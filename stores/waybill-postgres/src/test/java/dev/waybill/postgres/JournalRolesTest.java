package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each role can do its work, and nothing else. */
class JournalRolesTest extends JournalRolesFixture {
    private static final String NOT_ALLOWED = "42501";

    @Test
    void a_producer_appends() throws SQLException {
        JdbcOutbox locking = JdbcOutbox.journal(OutboxOptions.defaults().lockKeys(true));
        try (Connection connection = database.dataSourceAs(PRODUCER).getConnection()) {
            connection.setAutoCommit(false);
            append(connection, "a1", "a2");
            assertThat(JdbcOutbox.journal().appendIfAbsent(connection, event("a3")))
                    .isEqualTo(1);
            locking.append(connection, event("a4"));
            connection.commit();
        }
        assertThat(drain(open())).containsExactly("a1", "a2", "a3", "a4");
    }

    @Test
    void a_producer_is_told_of_a_repeated_id_without_being_able_to_read_it() throws SQLException {
        var repeated = event("a1");
        try (Connection connection = database.dataSourceAs(PRODUCER).getConnection()) {
            connection.setAutoCommit(false);
            JdbcOutbox.journal().append(connection, repeated);
            assertThat(JdbcOutbox.journal().appendIfAbsent(connection, repeated, event("a2")))
                    .isEqualTo(1);
            connection.commit();
        }
        assertThat(drain(open())).containsExactly("a1", "a2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*) from waybill.event",
                "select id from waybill.event",
                "select last_value from waybill.event_seq_seq",
                "select nextval('waybill.event_seq_seq')",
                "select setval('waybill.event_seq_seq', 1)",
                "select nextval('waybill.epoch')",
                "update waybill.event set type = 'x'",
                "delete from waybill.event",
                "truncate waybill.event",
                "begin; lock table waybill.event in access exclusive mode",
                "copy waybill.event to stdout",
                "alter table waybill.event disable trigger all",
                "drop table waybill.event",
                "create table waybill.mine (n int)",
                "insert into waybill.event (seq, type, aggregate_type, aggregate_id, payload)"
                        + " overriding system value values (1, 't', 'a', 'i', '{}')",
                "insert into waybill.event (xid, type, aggregate_type, aggregate_id, payload)"
                        + " values ('3', 't', 'a', 'i', '{}')",
                "insert into waybill.event (created_at, type, aggregate_type, aggregate_id, payload)"
                        + " values ('-infinity', 't', 'a', 'i', '{}')",
                "insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                        + " values ('t', 'a', 'i', '{}') returning seq",
                "insert into waybill.event (id, type, aggregate_type, aggregate_id, payload)"
                        + " values (gen_random_uuid(), 't', 'a', 'i', '{}') on conflict (id) do update set type = 'x'",
                "select from waybill.relay",
                "update waybill.relay set paused = true",
                "delete from waybill.parked",
                "select from waybill.audit",
                "select from waybill.window_log",
                "select from waybill.schema_version"
            })
    void a_producer_is_refused(String sql) throws SQLException {
        try (Connection connection = database.dataSourceAs(PRODUCER).getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(sql))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(NOT_ALLOWED));
        }
    }

    @Test
    void a_relay_runs_whole_sessions_with_parking_retries_and_retention() throws SQLException {
        append("a1", "a2", "b1", "c1");
        PostgresJournal journal = PostgresJournal.on(database.dataSourceAs(RELAY_ROLE), options());

        RelaySession session = open(journal);
        Batch batch = session.claim(PLENTY).orElseThrow();
        session.settle(
                batch,
                List.of(
                        new Settlement.RetryAt(clock().instant(), "later"),
                        Settlement.BEHIND,
                        new Settlement.Dead("never", true, false),
                        Settlement.PUBLISHED));
        assertThat(session.renew()).isTrue();
        assertThat(drain(session)).containsExactly("a1", "a2");
        session.close();

        assertThat(journal.admin().purge(Duration.ZERO, 100).deleted())
                .as("events except the dead one")
                .isEqualTo(3);
        open(PostgresJournal.on(database.dataSourceAs(RELAY_ROLE), options().start(JournalOptions.Start.NOW)))
                .close();
    }

    @Test
    void a_viewer_reads_and_changes_nothing() throws SQLException {
        String dead = deadEvent();
        StoreAdmin admin =
                PostgresJournal.on(database.dataSourceAs(VIEWER), options()).admin();

        assertThat(admin.relays()).hasSize(1);
        assertThat(admin.parked(ParkedQuery.of(RELAY))).hasSize(1);
        assertThat(admin.show(dead)).isPresent();
        assertThat(admin.previewRequeue(RELAY, Selection.of(dead)).found()).isEqualTo(1);
        assertThat(admin.audit(10)).isEmpty();
        refused(() -> admin.requeue(RELAY, Selection.of(dead), ANNA));
        refused(() -> admin.discard(RELAY, Selection.of(dead), ANNA));
        refused(() -> admin.pause(RELAY, ANNA));
        refused(() -> admin.drop(RELAY, ANNA));
        refused(() -> admin.restore(RELAY, ANNA));
        refused(() -> admin.purge(Duration.ZERO, 10));
        refused(() -> admin.payload(dead, ANNA));
        refused(() -> PostgresJournal.on(database.dataSourceAs(VIEWER)).open(RELAY, OWNER, LEASE));
        assertThat(admin.parked(ParkedQuery.of(RELAY))).hasSize(1);
        assertThat(admin.audit(10))
                .as("denied commands")
                .allSatisfy(entry -> {
                    assertThat(entry.allowed()).isFalse();
                    assertThat(entry.login().orElseThrow().user()).isEqualTo(VIEWER);
                    assertThat(entry.by()).isEqualTo(ANNA);
                })
                .extracting(AuditEntry::action)
                .containsExactly("payload", "restore", "drop", "pause", "discard", "requeue");
    }

    @Test
    void an_operator_requeues_discards_pauses_drops_and_restores() throws SQLException {
        String requeued = deadEvent();
        String discarded = deadEvent();
        StoreAdmin admin =
                PostgresJournal.on(database.dataSourceAs(OPERATOR), options()).admin();

        assertThat(admin.requeue(RELAY, Selection.of(requeued), ANNA)).isEqualTo(1);
        assertThat(admin.discard(RELAY, Selection.of(discarded), ANNA)).isEqualTo(1);
        assertThat(admin.pause(RELAY, ANNA)).isTrue();
        assertThat(admin.resume(RELAY, ANNA)).isTrue();
        try (RelaySession session = open()) {
            assertThat(drain(session)).hasSize(1);
        }
        assertThat(admin.drop(RELAY, ANNA)).isTrue();
        assertThat(admin.restore(RELAY, ANNA)).isTrue();
        assertThat(admin.audit(10)).hasSize(6);
        refused(() -> admin.purge(Duration.ZERO, 10));
    }

    @Test
    void an_operator_starts_and_cancels_replays_and_a_relay_runs_them() throws SQLException {
        append("a1", "a2");
        RelayName again = new RelayName("again");
        ReplayAdmin operator =
                PostgresJournal.on(database.dataSourceAs(OPERATOR), options()).replays();
        ReplayAdmin relay =
                PostgresJournal.on(database.dataSourceAs(RELAY_ROLE), options()).replays();
        ReplayAdmin viewer =
                PostgresJournal.on(database.dataSourceAs(VIEWER), options()).replays();

        operator.start(again, ReplayQuery.EVERYTHING, ANNA);
        assertThat(drain(tracked(relay.store().open(again, OWNER, LEASE)).orElseThrow()))
                .hasSize(2);
        assertThat(viewer.replay(again).orElseThrow().state()).isEqualTo(ReplayStatus.State.THROUGH);
        RelayName other = new RelayName("other");
        operator.start(other, ReplayQuery.EVERYTHING, ANNA);
        assertThat(operator.cancel(other, ANNA).orElseThrow().state()).isEqualTo(ReplayStatus.State.CANCELLED);
        assertThat(viewer.preview(ReplayQuery.EVERYTHING).events()).isEqualTo(2);
        refused(() -> viewer.start(new RelayName("third"), ReplayQuery.EVERYTHING, ANNA));
        refused(() -> viewer.cancel(again, ANNA));
    }

    private String deadEvent() throws SQLException {
        append("a1");
        try (RelaySession session = open()) {
            Batch batch = session.claim(PLENTY).orElseThrow();
            session.settle(batch, List.of(new Settlement.Dead("never", true, false)));
            return batch.events().get(0).id().toString();
        }
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(StoreException.class).hasMessageContaining(NOT_ALLOWED);
    }
}
