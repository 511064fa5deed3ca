package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import dev.waybill.testkit.ExplainedStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Replays of the journal, beyond the contract. */
class JournalReplayTest extends JournalFixture {
    private static final RelayName AGAIN = new RelayName("again");
    private static final Actor ANNA = new Actor("anna", "the search index was lost");
    private static final Instant MAY = Instant.parse("2026-05-01T00:00:00Z");

    private ReplayAdmin replays() {
        return journal().replays();
    }

    private RelaySession openReplay() {
        return openReplay(journal());
    }

    private RelaySession openReplay(PostgresJournal journal) {
        return tracked(journal.replays().store().open(AGAIN, OWNER, LEASE)).orElseThrow();
    }

    private ReplayStatus status() {
        return replays().replay(AGAIN).orElseThrow();
    }

    /** Events of keys k0 to k9 in turn, one a minute from May on, their times up to two minutes out of order. */
    private void appendMinutes(int count) throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload, created_at)
                select 'minute', 'Thing', 'k' || n %% 10, '{}',
                       '%s'::timestamptz + n * interval '1 minute' + (n * 7 %% 5 - 2) * interval '1 minute'
                  from generate_series(0, %d) n""".formatted(MAY, count - 1));
    }

    @Test
    void events_not_committed_at_the_start_are_not_replayed_even_with_a_lower_seq() throws SQLException {
        Connection late = begin();
        append(late, "a1");
        append("b1");
        replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        late.commit();

        assertThat(drain(openReplay())).containsExactly("b1");
        assertThat(status().counts()).isEqualTo(new ReplayStatus.Counts(1, ReplaySize.NONE, 0, 0));
    }

    @Test
    void events_of_a_key_in_a_time_range_are_found_even_if_times_are_out_of_order() throws SQLException {
        appendMinutes(20_000);
        Instant from = MAY.plus(Duration.ofDays(5));
        Instant until = from.plus(Duration.ofHours(12));
        ReplayQuery query = ReplayQuery.EVERYTHING
                .from(from)
                .until(until)
                .aggregateType("Thing")
                .aggregateId("k3");
        long expected = database.number("""
                select count(*) from waybill.event
                 where aggregate_id = 'k3' and created_at >= '%s' and created_at < '%s'""".formatted(from, until));
        assertThat(expected).isBetween(70L, 74L);
        assertThat(replays().preview(query)).isEqualTo(new ReplaySize(expected, true));
        replays().start(AGAIN, query, ANNA);

        RelaySession session = openReplay();
        long sent = 0;
        for (Batch batch = session.claim(PLENTY).orElseThrow();
                !batch.events().isEmpty();
                batch = session.claim(PLENTY).orElse(List::of)) {
            assertThat(batch.events()).allSatisfy(event -> {
                assertThat(event.aggregateId()).hasToString("k3");
                assertThat(event.createdAt()).isBetween(from, until.minusNanos(1_000));
            });
            sent += batch.events().size();
            publish(session, batch);
        }
        assertThat(sent).isEqualTo(expected);
    }

    /** Only the part of the journal in the range is read. */
    @Test
    void a_time_range_is_found_without_reading_the_whole_journal() throws SQLException {
        appendMinutes(100_000);
        database.execute("vacuum analyze waybill.event");
        ExplainedStatements explained = new ExplainedStatements(database.dataSource());
        PostgresJournal journal = PostgresJournal.on(explained.dataSource(), options());
        Instant from = MAY.plus(Duration.ofDays(30));
        journal.replays().start(AGAIN, ReplayQuery.EVERYTHING.from(from).until(from.plus(Duration.ofHours(1))), ANNA);
        RelaySession session = openReplay(journal);
        assertThat(drain(session)).hasSize(60);

        List<ExplainedStatements.Explained> onEvents = explained.take().stream()
                .filter(one -> one.sql().contains("seq > ?"))
                .toList();
        assertThat(onEvents).hasSizeGreaterThan(10).allSatisfy(one -> {
            assertThat(one.buffers()).as(one.sql()).isLessThan(60);
            assertThat(one.nodes()).doesNotContain("Seq Scan", "Sort");
        });
    }

    @Test
    void few_matches_among_many_events_are_found_in_bounded_steps() throws SQLException {
        append("a1");
        appendMinutes(120_000);
        append("a2");
        replays().start(AGAIN, ReplayQuery.EVERYTHING.aggregateId("a"), ANNA);
        RelaySession session = openReplay();
        int batches = 0;
        int sent = 0;
        for (Batch batch = session.claim(PLENTY).orElseThrow();
                sent < 2;
                batch = session.claim(PLENTY).orElseThrow()) {
            sent += batch.events().size();
            batches++;
            publish(session, batch);
            if (sent == 2) {
                break;
            }
        }
        assertThat(batches).isEqualTo(3);
        assertThat(session.claim(PLENTY)).isEmpty();
        assertThat(status().state()).isEqualTo(State.THROUGH);
    }

    @Test
    void a_replay_of_ten_thousand_cancelled_midway_counts_exactly() throws SQLException {
        appendMinutes(10_000);
        try (RelaySession relay = open()) {
            drain(relay);
        }
        List<String> before = database.texts("select r::text from waybill.relay r where name = 'relay'");
        replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        RelaySession session = openReplay();
        Limits lump = new Limits(200, 1_000_000);
        long sent = 0;
        for (Batch batch = session.claim(lump).orElse(List::of);
                !batch.events().isEmpty();
                batch = session.claim(lump).orElse(List::of)) {
            sent += batch.events().size();
            publish(session, batch);
            if (sent == 4_000) {
                assertThat(replays().cancel(AGAIN, ANNA).orElseThrow().state()).isEqualTo(State.CANCELLING);
            }
        }
        assertThat(sent).isBetween(4_000L, 6_000L);
        assertThat(status().state()).isEqualTo(State.CANCELLED);
        assertThat(status().counts())
                .isEqualTo(new ReplayStatus.Counts(sent, new ReplaySize(10_000 - sent, true), 0, 0));
        AuditEntry last = journal().admin().audit(1).get(0);
        assertThat(last.action()).isEqualTo("replay-cancelled");
        assertThat(last.details()).isEqualTo("sent " + sent + ", not sent " + (10_000 - sent) + ", dead 0");
        assertThat(database.texts("select r::text from waybill.relay r where name = 'relay'"))
                .as("the relay that has published them before")
                .isEqualTo(before);
    }

    /** A save moves the position of the replay first, and then counts what was sent. */
    @Test
    void a_cancel_during_a_save_waits_for_it() throws Exception {
        append("a1");
        replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        openReplay();
        Connection save = begin();
        try (Statement statement = save.createStatement()) {
            statement.execute("update waybill.relay set seq = seq where name = 'again'");
            CompletableFuture<Optional<ReplayStatus>> cancel =
                    CompletableFuture.supplyAsync(() -> replays().cancel(AGAIN, ANNA));
            database.awaitWaiting(1);
            statement.execute("update waybill.replay set sent = sent where relay = 'again'");
            save.commit();

            assertThat(cancel.get(1, TimeUnit.MINUTES).orElseThrow().state()).isEqualTo(State.CANCELLING);
        }
    }

    /** The drop deletes parked events, one of which is locked, and the replay. */
    @Test
    void a_replay_can_be_dropped_while_its_cancel_ends() throws Exception {
        append("a1", "a2");
        replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        database.execute("""
                insert into waybill.parked (relay, seq, key, state, attempts, next_attempt_at)
                select 'again', seq, id, 'due', 1, now() + interval '1 hour' from waybill.event;
                select waybill.cancel_replay('again', 'anna', 'enough')""");
        Connection other = begin();
        try (Statement statement = other.createStatement()) {
            statement.execute("select from waybill.parked where seq = (select max(seq) from waybill.event) for update");
            CompletableFuture<Boolean> drop =
                    CompletableFuture.supplyAsync(() -> journal().admin().drop(AGAIN, ANNA));
            database.awaitWaiting(1);
            CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> {
                try {
                    database.execute("select waybill.end_cancelled_replay('again', 0, true, 'anna', 'enough')");
                    return 0;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            database.awaitWaiting(2);
            other.rollback();
            drop.get(1, TimeUnit.MINUTES);
            end.get(1, TimeUnit.MINUTES);
        }
        assertThat(replays().replay(AGAIN)).isEmpty();
    }

    @Test
    void a_killed_replay_continues_at_the_saved_position() throws SQLException {
        appendMinutes(1_000);
        replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
        PostgresJournal saving = PostgresJournal.on(
                database.dataSource(), options().saveEvery(300).saveWithin(Duration.ofDays(1)));
        RelaySession killed = openReplay(saving);
        Limits lump = new Limits(100, 1_000_000);
        for (int i = 0; i < 5; i++) {
            publish(killed, killed.claim(lump).orElseThrow());
        }
        database.execute("""
                select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid() and query like '%waybill.re%'""");
        assertThatThrownBy(() -> publish(killed, killed.claim(lump).orElseThrow()))
                .isInstanceOf(StoreException.class);
        assertThat(status().counts().sent()).isEqualTo(300);

        assertThat(drain(openReplay())).hasSize(700);
        assertThat(status().counts()).isEqualTo(new ReplayStatus.Counts(1_000, ReplaySize.NONE, 0, 0));
    }

    @Test
    void retention_deletes_events_that_an_open_replay_does_not_match() throws SQLException {
        append("a1", "b1", "a2");
        try (RelaySession relay = open()) {
            drain(relay);
        }
        replays().start(AGAIN, ReplayQuery.EVERYTHING.aggregateId("a"), ANNA);

        assertThat(journal().admin().purge(Duration.ZERO, 100).deleted()).isEqualTo(1);
        assertThat(drain(openReplay())).containsExactly("a1", "a2");
        assertThat(status().state()).isEqualTo(State.THROUGH);
        assertThat(journal().admin().purge(Duration.ZERO, 100).deleted()).isEqualTo(2);
    }

    @Test
    void an_events_history_has_a_replay_only_if_the_replay_matches_it() throws SQLException {
        append("a1", "b1");
        replays().start(AGAIN, ReplayQuery.EVERYTHING.type("a1"), ANNA);
        drain(openReplay());
        List<String> ids = database.texts("select id::text from waybill.event order by seq");

        assertThat(journal().admin().show(ids.get(0)).orElseThrow().relays()).hasSize(1);
        assertThat(journal().admin().show(ids.get(1)).orElseThrow().relays()).isEmpty();
    }
}
