package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.ExplainedStatements;
import dev.waybill.testkit.ExplainedStatements.Explained;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * 200,000 published events are retained, and the statistics are from when there were none. A claim still touches few pages, as
 * counted by the server: pages of 8 kB, in memory or not.
 */
class PlannerTest extends JournalFixture {
    private static final int RETAINED = 200_000;
    private static final Limits A_BATCH = new Limits(500, 10_000_000);

    /** Pages that a poll that finds nothing may touch. */
    private static final int IDLE = 15;
    /** Pages that a claim of 500 events may touch, plus 10 for each late transaction. */
    private static final int CLAIM = 60;

    private static final int LATE = 10;

    private final ExplainedStatements statements = new ExplainedStatements(database.dataSource());
    private long eventsChanged;
    private long tuplesWritten;
    /** Took its xid and appended before all retained events. */
    private Connection straddler;

    @BeforeAll
    void publishManyEvents() throws Exception {
        database.execute("analyze");
        straddler = database.begin();
        append(straddler, "a1", "a2");
        database.execute("""
                do $$ begin
                    for i in 1..%d loop
                        insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                        select 'retained', 'Thing', n::text, '{"n": 1}' from generate_series(1, 1000) n;
                        commit;
                    end loop;
                end $$""".formatted(RETAINED / 1_000));
        PostgresJournal journal = PostgresJournal.on(database.dataSource());
        try (RelaySession session = journal.open(RELAY, OWNER, LEASE).orElseThrow()) {
            assertThat(drain(session)).hasSize(RETAINED);
        }
        Await.until(
                "the session's server process is gone and has told its statistics", () -> database.number("""
                select count(*) from pg_stat_activity where datname = current_database() and state is not null
                   and pid <> pg_backend_pid()""") == 1);
        eventsChanged = database.number("""
                select n_tup_upd + n_tup_del from pg_stat_user_tables where relid = 'waybill.event'::regclass""");
        tuplesWritten = database.number("""
                select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables
                 where schemaname = 'waybill' and relname <> 'event'""");
    }

    /** The published events are kept. */
    @Override
    protected void emptyJournal() {}

    @Test
    void publishing_writes_nothing_to_the_events_and_almost_nothing_elsewhere() {
        assertThat(eventsChanged)
                .as("updated and deleted tuples of waybill.event")
                .isZero();
        assertThat(tuplesWritten)
                .as("tuples inserted, updated and deleted in all other tables of the schema")
                .isPositive()
                .isLessThan(RETAINED / 1_000);
    }

    @Test
    void a_poll_that_finds_nothing_touches_few_pages() throws SQLException {
        RelaySession session = openDrained(RELAY);
        for (int i = 0; i < 3; i++) {
            assertThat(session.claim(A_BATCH)).isEmpty();
            requireFewPages(IDLE);
        }
    }

    @Test
    void a_poll_that_finds_only_rolled_back_events_touches_few_pages() throws SQLException {
        RelaySession session = openDrained(RELAY);
        Connection undone = begin();
        append(undone, "b1", "b2");
        undone.rollback();

        assertThat(session.claim(A_BATCH)).isEmpty();
        requireFewPages(IDLE + LATE);
    }

    @Test
    void a_poll_with_many_dead_events_touches_few_pages() throws SQLException {
        database.execute("""
                insert into waybill.relay (name, system_id, base, base_next, base_floor, seq)
                select 'unlucky', system_id, base, base_next, base_floor, 0 from waybill.relay where name = 'relay';
                insert into waybill.parked (relay, seq, key, state)
                select 'unlucky', seq, id, 'dead' from waybill.event where type = 'retained' order by seq limit 20000""");
        RelaySession session = openDrained(new RelayName("unlucky"));

        assertThat(session.claim(A_BATCH)).isEmpty();
        requireFewPages(IDLE);
    }

    @Test
    void a_claim_after_all_retained_events_touches_few_pages() throws SQLException {
        RelaySession session = openDrained(RELAY);
        appendMany();

        assertThat(claim(session).events()).hasSize(500);
        assertThat(requireFewPages(CLAIM)).doesNotContain("Sort");
    }

    @Test
    void a_new_relays_first_claim_touches_few_pages() throws SQLException {
        RelaySession session = open(new RelayName("beginner"));
        statements.take();

        assertThat(claim(session).events()).hasSize(500);
        assertThat(requireFewPages(CLAIM)).doesNotContain("Sort");
    }

    @Test
    void a_claim_in_the_middle_of_the_retained_events_touches_few_pages() throws SQLException {
        database.execute("""
                insert into waybill.relay (name, system_id, base, base_next, base_floor, target, target_next, target_floor,
                                           high, seq)
                select 'middle', system_id, '3:3:', '3', 0, base, base_next, base_floor, base_floor, 100000
                  from waybill.relay where name = 'relay'""");
        RelaySession session = open(new RelayName("middle"));
        statements.take();

        assertThat(claim(session).events()).hasSize(500);
        assertThat(requireFewPages(CLAIM)).doesNotContain("Sort");
    }

    @Test
    void a_claim_with_a_transaction_older_than_all_retained_events_touches_few_pages() throws SQLException {
        RelaySession session = openDrained(RELAY);
        straddler.commit();
        appendMany();

        assertThat(names(claim(session))).startsWith("a1", "a2").hasSize(500);
        requireFewPages(CLAIM + LATE);
    }

    @Test
    void a_claim_with_many_late_transactions_touches_few_pages_for_each() throws SQLException {
        RelaySession session = openDrained(RELAY);
        List<Connection> late = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            late.add(begin());
            append(late.get(i), "late" + i);
        }
        append("b1");
        assertThat(drain(session)).containsExactly("b1");
        statements.take();
        for (Connection connection : late) {
            connection.commit();
        }
        appendMany();

        assertThat(names(claim(session)))
                .startsWith("late0", "late1")
                .contains("late79")
                .hasSize(500);
        requireFewPages(CLAIM + 80 * LATE);
    }

    // ---- helpers

    private RelaySession open(RelayName relay) {
        return tracked(PostgresJournal.on(statements.dataSource(), options()).open(relay, OWNER, LEASE))
                .orElseThrow();
    }

    private RelaySession openDrained(RelayName relay) {
        RelaySession session = open(relay);
        drain(session);
        session.claim(A_BATCH);
        statements.take();
        return session;
    }

    private static Batch claim(RelaySession session) {
        Optional<Batch> batch = session.claim(A_BATCH);
        publish(session, batch.orElseThrow());
        return batch.get();
    }

    private void appendMany() throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'new', 'Thing', n::text, '{"n": 1}' from generate_series(1, 1000) n""");
    }

    /** @return the nodes of all plans since the last call */
    private List<String> requireFewPages(int bound) {
        List<Explained> all = statements.take();
        assertThat(all).isNotEmpty();
        List<String> nodes = all.stream().flatMap(one -> one.nodes().stream()).toList();
        assertThat(all.stream().mapToLong(Explained::buffers).sum())
                .as("pages touched by %s", all)
                .isPositive()
                .isLessThanOrEqualTo(bound);
        assertThat(nodes).doesNotContain("Seq Scan", "Bitmap Heap Scan", "Hash Join", "Merge Join");
        return nodes;
    }
}
