package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.Selection;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A journal that was dumped on one cluster and restored on another is adopted there. */
class RestoredJournalTest extends RestoredJournalFixture {
    @Test
    void a_position_from_another_cluster_is_refused_with_the_remedy() throws Exception {
        publishOnOld("a1");
        restore();

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll(
                        "Relay relay",
                        "was saved on the database cluster " + systemId(old) + ", but this is " + systemId(database),
                        "PostgresJournal.adopt");
        assertThat(database.number("select count(*) from waybill.lease where owner is null"))
                .as("the lease was not taken")
                .isEqualTo(1);
    }

    @Test
    void a_new_relay_is_refused_because_it_would_skip_restored_events() throws Exception {
        publishOnOld("a1");
        restore();

        assertThatThrownBy(() -> journal().open(OTHER_RELAY, OWNER, LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("other-relay", systemId(old), "PostgresJournal.adopt");
    }

    @Test
    void restored_events_without_a_relay_are_refused_if_their_xids_are_in_the_future() throws Exception {
        appendTo(old, "a1", "a2");
        restore();

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll(
                        "xids that this database cluster", "not assigned yet", "PostgresJournal.adopt");
        journal().adopt(ANNA);

        assertThat(drain(open())).containsExactly("a1", "a2");
    }

    @Test
    void after_adopting_only_unpublished_events_are_published_in_order() throws Exception {
        publishOnOld("a1", "b1", "a2");
        appendTo(old, "a3", "b2");
        restore();
        append("b3", "a4");
        assertThat(database.number("select max(xid)::text::bigint from waybill.event"))
                .as("the restored xids are higher, so the old base seems to contain the new events")
                .isGreaterThan(database.number(
                        "select 100 + (select xid from waybill.event where type = 'a4')::text::bigint"));

        List<String> restored = rowsOf("a1", "b1", "a2", "a3", "b2");

        assertThat(journal().adopt(ANNA)).isEqualTo(1);
        append("a5");
        assertThat(rowsOf("a1", "b1", "a2", "a3", "b2"))
                .as("restored rows are not rewritten")
                .isEqualTo(restored);

        RelaySession session = open();
        assertThat(drain(session, new Limits(2, 1_000))).containsExactly("a3", "b2", "b3", "a4", "a5");
        append("a6");
        assertThat(drain(session)).containsExactly("a6");
    }

    @Test
    void a_relay_in_the_middle_of_a_window_continues_there_after_adopting() throws Exception {
        try (RelaySession session = openOnOld()) {
            appendTo(old, "a1", "a2", "a3", "a4");
            Batch page = session.claim(new Limits(2, 1_000)).orElseThrow();
            publish(session, page);
        }
        restore();
        append("a5");
        journal().adopt(ANNA);

        assertThat(drain(open())).containsExactly("a3", "a4", "a5");
    }

    @Test
    void an_event_whose_transaction_was_open_at_the_old_base_is_published_after_adopting() throws Exception {
        try (Connection late = old.begin()) {
            append(late, "a1");
            publishOnOld("b1");
            late.commit();
        }
        restore();
        journal().adopt(ANNA);

        assertThat(drain(open())).containsExactly("a1");
    }

    @Test
    void every_relay_continues_from_its_own_position() throws Exception {
        publishOnOld("a1");
        try (RelaySession other = PostgresJournal.on(old.dataSource(), options())
                .open(OTHER_RELAY, OWNER, LEASE)
                .orElseThrow()) {
            assertThat(drain(other)).containsExactly("a1");
        }
        publishOnOld("a2");
        restore();

        assertThat(journal().adopt(ANNA)).isEqualTo(2);

        assertThat(drain(open())).isEmpty();
        try (RelaySession other = journal().open(OTHER_RELAY, OWNER, LEASE).orElseThrow()) {
            assertThat(drain(other)).containsExactly("a2");
        }
    }

    @Test
    void parked_events_stay_parked_and_are_published_in_order() throws Exception {
        appendTo(old, "a1", "a2", "b1");
        try (RelaySession session = openOnOld()) {
            Batch batch = session.claim(PLENTY).orElseThrow();
            session.settle(
                    batch,
                    List.of(
                            new Settlement.RetryAt(clock().instant().plusSeconds(60), "not now"),
                            Settlement.BEHIND,
                            Settlement.PUBLISHED));
        }
        appendTo(old, "a3");
        restore();
        journal().adopt(ANNA);

        RelaySession session = open();
        assertThat(drain(session)).isEmpty();
        clock().advance(Duration.ofSeconds(61));
        assertThat(drain(session)).containsExactly("a1", "a2", "a3");
    }

    @Test
    void adopting_is_refused_while_a_transaction_that_appended_is_open() throws Exception {
        publishOnOld("a1");
        restore();
        Connection open = begin();
        append(open, "b1");
        append("a2");

        assertThatThrownBy(() -> journal().adopt(ANNA))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("still open", "Nothing was changed");
        open.commit();
        journal().adopt(ANNA);

        assertThat(drain(open())).containsExactly("b1", "a2");
    }

    @Test
    void adopting_waits_for_a_command_on_parked_events() throws Exception {
        appendTo(old, "a1", "b1");
        try (RelaySession session = openOnOld()) {
            Batch batch = session.claim(PLENTY).orElseThrow();
            session.settle(batch, List.of(new Settlement.Dead("no", true, false), Settlement.PUBLISHED));
        }
        restore();
        Connection other = begin();
        try (Statement statement = other.createStatement()) {
            statement.execute("select from waybill.parked for update");
            CompletableFuture<Integer> discard = CompletableFuture.supplyAsync(
                    () -> journal().admin().discard(RELAY, Selection.all(ParkedState.DEAD), ANNA));
            database.awaitWaiting(1);
            CompletableFuture<Integer> adopt =
                    CompletableFuture.supplyAsync(() -> journal().adopt(ANNA));
            database.awaitWaiting(2);
            other.rollback();
            assertThat(discard.get(1, TimeUnit.MINUTES)).isEqualTo(1);
            assertThat(adopt.get(1, TimeUnit.MINUTES)).isEqualTo(1);
        }
    }

    @Test
    void events_appended_inside_a_savepoint_before_adopting_are_published() throws Exception {
        publishOnOld("a1");
        restore();
        append("b1");
        try (Connection connection = database.begin()) {
            appendInSavepoint(connection, "a2", "a3");
            connection.commit();
        }
        append("b2");
        journal().adopt(ANNA);

        assertThat(drain(open())).containsExactly("b1", "a2", "a3", "b2");
    }

    @Test
    void a_journal_that_was_adopted_can_be_restored_and_adopted_again() throws Exception {
        publishOnOld("a1");
        appendTo(old, "a2");
        restore();
        append("a3");
        journal().adopt(ANNA);
        append("a4");
        try (RelaySession session = open()) {
            Batch page = session.claim(new Limits(2, 1_000)).orElseThrow();
            publish(session, page);
        }
        simulateRestore();
        append("a5");
        assertThatThrownBy(this::open).isInstanceOf(StoreRefusedException.class).hasMessageContaining("waybill adopt");
        journal().adopt(ANNA);
        append("a6");

        RelaySession session = open();
        assertThat(drain(session)).containsExactly("a4", "a5", "a6");
        append("a7");
        assertThat(drain(session)).containsExactly("a7");
    }

    @Test
    void a_transaction_longer_than_a_window_is_published_in_an_adopted_journal_too() throws Exception {
        publishOnOld("a1");
        restore();
        journal().adopt(ANNA);
        Connection late = begin();
        append(late, "b1");
        Connection rolledBack = begin();
        append(rolledBack, "c1");
        append("a2");
        try (RelaySession session = open()) {
            assertThat(drain(session)).containsExactly("a2");
        }
        assertThat(journal().admin().relays().get(0).backlog()).isZero();
        late.commit();
        rolledBack.rollback();

        assertThat(journal().admin().relays().get(0).backlog()).isEqualTo(1);
        try (RelaySession session = open()) {
            assertThat(drain(session)).containsExactly("b1");
        }
        assertThat(journal().admin().purge(Duration.ZERO, 100).deleted()).isEqualTo(3);
    }

    @Test
    void a_replay_continues_after_adopting_and_sends_only_its_events() throws Exception {
        publishOnOld("a1", "a2");
        RelayName again = new RelayName("again");
        PostgresJournal.on(old.dataSource(), options()).replays().start(again, ReplayQuery.EVERYTHING, ANNA);
        appendTo(old, "a3");
        restore();
        journal().adopt(ANNA);
        append("a4");

        try (RelaySession replay =
                journal().replays().store().open(again, OWNER, LEASE).orElseThrow()) {
            assertThat(drain(replay)).containsExactly("a1", "a2");
        }
        assertThat(drain(open())).containsExactly("a3", "a4");
    }

    @Test
    void nothing_is_deleted_before_adopting() throws Exception {
        publishOnOld("a1");
        restore();
        append("b1");

        assertThatThrownBy(() -> journal().admin().purge(Duration.ZERO, 100))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("nothing is deleted until it is adopted");
        journal().adopt(ANNA);
        assertThat(drain(open())).containsExactly("b1");
    }

    @Test
    void an_offset_that_differs_from_the_default_is_refused_and_adopted() throws Exception {
        append("a1");
        try (RelaySession session = open()) {
            assertThat(drain(session)).containsExactly("a1");
        }
        database.execute("update waybill.xid_offset set value = 4294967296");
        append("a2");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("another offset", "waybill adopt");
        journal().adopt(ANNA);
        assertThat(drain(open())).containsExactly("a2");
    }

    @Test
    void xids_with_an_offset_are_never_a_multiple_of_two_to_the_32() throws Exception {
        publishOnOld("a1");
        restore();
        journal().adopt(ANNA);

        assertThat(database.number("select value % 4294967296 from waybill.xid_offset"))
                .isZero();
        assertThat(database.number("select value from waybill.xid_offset")).isPositive();
    }

    @Test
    void a_session_from_before_adopting_is_fenced() throws Exception {
        append("a1");
        RelaySession session = open();
        Batch batch = session.claim(PLENTY).orElseThrow();
        simulateRestore();
        database.execute("update waybill.lease set lease_until = clock_timestamp() - interval '1 ms'");
        journal().adopt(ANNA);

        assertThatThrownBy(() -> publish(session, batch)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_journal_of_this_cluster_is_not_adopted() throws Exception {
        append("a1");
        try (RelaySession session = open()) {
            assertThat(drain(session)).hasSize(1);
        }

        assertThatThrownBy(() -> journal().adopt(ANNA))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("nothing to adopt", "Nothing was changed");
        simulateUpgrade();
        assertThatThrownBy(() -> journal().adopt(ANNA))
                .as("an upgraded cluster kept its xids")
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("nothing to adopt");
        assertThat(drain(open())).isEmpty();
    }

    @Test
    void adopting_is_refused_while_a_relay_runs_and_changes_nothing() throws Exception {
        publishOnOld("a1");
        restore();
        database.execute(
                "update waybill.lease set owner = 'still here', lease_until = clock_timestamp() + interval '1 min'");

        assertThatThrownBy(() -> journal().adopt(ANNA))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("These relays are still running: relay", "Stop them", "Nothing was changed");
        assertThat(database.texts("select system_id from waybill.relay")).containsExactly(systemId(old));
        assertThat(journal().admin().audit(1)).isEmpty();

        database.execute("update waybill.lease set lease_until = clock_timestamp() - interval '1 ms'");
        assertThat(journal().adopt(ANNA)).isEqualTo(1);
    }

    @Test
    void adopting_is_audited_and_the_history_of_the_old_cluster_stays() throws Exception {
        publishOnOld("a1");
        restore();
        append("a2");
        journal().adopt(ANNA);

        AuditEntry entry = journal().admin().audit(1).get(0);
        assertThat(entry.by()).isEqualTo(ANNA);
        assertThat(entry.action()).isEqualTo("adopt");
        assertThat(entry.details()).isEqualTo("relays: 1, events appended before it: 1");
        assertThat(database.number("select count(*) from waybill.window_log")).isPositive();
    }
}
