package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.Selection;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A lease is renewed and released whatever else happens to its relay, and fences exactly. */
class LeaseRowTest extends JournalFixture {
    private static final OwnerId SECOND = new OwnerId("second");
    private static final OwnerId THIRD = new OwnerId("third");
    private static final Actor ANNA = new Actor("anna", "a test");
    private static final Settlement RETRY = new Settlement.RetryAt(Instant.EPOCH, "try again", true);
    private static final String WAITING = """
            select count(*) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()""";

    /** Changes of parked events wait while a test holds this lock. */
    @BeforeAll
    void createLock() throws SQLException {
        database.execute("""
                create function wait_for_test() returns trigger language plpgsql as $$
                    begin perform pg_advisory_xact_lock_shared(4711); return null; end $$;
                create trigger wait_for_test after insert or update on waybill.parked
                    for each statement execute function wait_for_test()""");
    }

    private Connection holdUpParking() throws SQLException {
        Connection holder = begin();
        try (Statement statement = holder.createStatement()) {
            statement.execute("select pg_advisory_xact_lock(4711)");
        }
        return holder;
    }

    private void untilSomebodyWaits(long how) throws Exception {
        Await.until(how + " sessions wait for a lock", () -> database.number(WAITING) == how);
    }

    private void expireLease() throws SQLException {
        database.execute("update waybill.lease set lease_until = clock_timestamp() - interval '1 ms'");
    }

    @Test
    void a_settlement_that_takes_longer_than_the_lease_does_not_lose_it() throws Exception {
        RelaySession session = open();
        append("a1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        Connection holder = holdUpParking();
        CompletableFuture<Void> settling = CompletableFuture.runAsync(() -> session.settle(batch, List.of(RETRY)));
        untilSomebodyWaits(1);

        assertThat(session.renew()).as("during the settlement").isTrue();
        assertThat(tracked(journal().open(RELAY, SECOND, LEASE))).isEmpty();
        holder.rollback();
        settling.get();
        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    void requeueing_during_a_session_does_not_end_its_lease() throws Exception {
        RelaySession session = open();
        append("a1", "b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        session.settle(
                batch, List.of(new Settlement.Dead("never", true, false), new Settlement.Dead("never", true, false)));
        List<String> dead =
                batch.events().stream().map(event -> event.id().toString()).toList();
        Connection holder = holdUpParking();
        CompletableFuture<Integer> requeueing =
                CompletableFuture.supplyAsync(() -> journal().admin().requeue(RELAY, Selection.of(dead), ANNA));
        untilSomebodyWaits(1);

        assertThat(session.renew()).as("during the requeueing").isTrue();
        holder.rollback();
        assertThat(requeueing.get()).isEqualTo(2);
        assertThat(drain(session)).containsExactlyInAnyOrder("a1", "b1");
    }

    @Test
    void a_successor_waits_for_a_settlement_in_progress_and_continues_after_it() throws Exception {
        RelaySession session = open();
        append("a1", "b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        Connection holder = holdUpParking();
        CompletableFuture<Void> settling = CompletableFuture.runAsync(
                () -> session.settle(batch, List.of(Settlement.PUBLISHED, new Settlement.Dead("never", true, false))));
        untilSomebodyWaits(1);
        expireLease();
        PostgresJournal second = journal();
        CompletableFuture<Optional<RelaySession>> taking =
                CompletableFuture.supplyAsync(() -> second.open(RELAY, SECOND, LEASE));
        untilSomebodyWaits(2);
        holder.rollback();

        settling.get();
        RelaySession successor = tracked(taking.get()).orElseThrow();
        assertThat(drain(successor)).as("events settled before the takeover").isEmpty();
        assertThatThrownBy(() -> session.claim(PLENTY)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_waiting_successor_does_not_prevent_the_owner_from_renewing() throws Exception {
        RelaySession session = open();
        append("a1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        Connection holder = holdUpParking();
        CompletableFuture<Void> settling = CompletableFuture.runAsync(() -> session.settle(batch, List.of(RETRY)));
        untilSomebodyWaits(1);
        expireLease();
        PostgresJournal second = journal();
        CompletableFuture<Optional<RelaySession>> taking =
                CompletableFuture.supplyAsync(() -> second.open(RELAY, SECOND, LEASE));
        untilSomebodyWaits(2);

        assertThat(session.renew()).isTrue();
        holder.rollback();
        settling.get();
        assertThat(tracked(taking.get())).as("the lease was renewed meanwhile").isEmpty();
        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    void a_late_owner_does_not_release_the_lease_of_its_successor() throws SQLException {
        RelaySession late = open();
        expireLease();
        RelaySession successor = tracked(journal().open(RELAY, SECOND, LEASE)).orElseThrow();
        assertThat(late.renew()).isFalse();
        late.close();

        assertThat(tracked(journal().open(RELAY, THIRD, LEASE))).isEmpty();
        assertThat(successor.renew()).isTrue();
    }

    @Test
    void a_standby_process_waits_for_no_lock() throws SQLException {
        open();
        Connection holder = begin();
        try (Statement statement = holder.createStatement()) {
            statement.execute("select from waybill.relay for update");
            statement.execute("select from waybill.lease for update");
        }

        assertThat(tracked(journal().open(RELAY, SECOND, LEASE))).isEmpty();
    }

    @Test
    void a_locked_lease_does_not_delay_the_renewal_of_others() throws SQLException {
        PostgresJournal journal = journal();
        RelaySession locked = open(journal);
        RelaySession other =
                tracked(journal.open(new RelayName("other"), OWNER, LEASE)).orElseThrow();
        Connection holder = begin();
        try (Statement statement = holder.createStatement()) {
            statement.execute("select from waybill.lease where relay = 'relay' for update");
        }

        assertThatThrownBy(locked::renew).hasMessageContaining("55P03");
        assertThat(other.renew()).isTrue();
        holder.rollback();
        assertThat(locked.renew()).isTrue();
    }

    @Test
    void a_relay_that_starts_now_keeps_its_start_if_its_first_session_crashes() throws SQLException {
        append("a1");
        database.execute("""
                create function crash() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$;
                create trigger crash before update on waybill.relay execute function crash()""");
        PostgresJournal journal =
                PostgresJournal.on(database.dataSource(), options().start(JournalOptions.Start.NOW));
        try {
            assertThatThrownBy(() -> journal.open(RELAY, OWNER, LEASE)).hasMessageContaining("crash");
        } finally {
            database.execute("drop function crash cascade");
        }
        append("b1");

        assertThat(drain(open(journal))).containsExactly("b1");
    }
}
