package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory.State;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.journal.Durability;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.ExplainedStatements;
import dev.waybill.testkit.ExplainedStatements.Explained;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever the statistics of {@code waybill.parked}, a statement reads only about as many rows as it changes or returns. The
 * server counts the rows that the scans read and the pages they touched.
 */
class ParkedPlansTest extends JournalFixture {
    private static final int KEYS = 1_000;
    private static final int DUE_OF_A_KEY = 20;
    private static final int DEAD = 20_000;
    private static final Limits A_BATCH = new Limits(2_000, 10_000_000);
    private static final Actor SOMEBODY = new Actor("somebody", "a test");

    /** Rows and pages allowed for each row changed or returned, or key queried. */
    private static final int ROWS_EACH = 10;

    private static final int PAGES_EACH = 60;
    /** Rows and pages allowed in addition. */
    private static final int ROWS = 50;

    private static final int PAGES = 60;

    private final ExplainedStatements statements = new ExplainedStatements(database.dataSource());

    /** When the statistics were collected. */
    enum Statistics {
        OF_THE_EMPTY_TABLE,
        OF_THE_DEAD_ALONE
    }

    @BeforeEach
    void resetStatistics() throws SQLException {
        database.execute("""
                alter table waybill.parked set (autovacuum_enabled = false);
                truncate waybill.parked;
                analyze waybill.parked""");
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void settling_a_batch_touches_only_what_it_changes(Statistics statistics) throws SQLException {
        RelaySession session = openWithDue(statistics);

        Batch first = session.claim(A_BATCH).orElseThrow();
        assertThat(first.events()).hasSize(A_BATCH.events());
        requireLittle(A_BATCH.events());
        session.settle(
                first,
                first.events().stream()
                        .<Settlement>map(event ->
                                new Settlement.RetryAt(clock().instant().plusSeconds(1), "busy"))
                        .toList());
        requireLittle(KEYS * DUE_OF_A_KEY);
        assertThat(count("due")).isEqualTo(KEYS);

        clock().advance(Duration.ofSeconds(2));
        Batch heads = session.claim(A_BATCH).orElseThrow();
        assertThat(heads.events()).hasSize(KEYS);
        requireLittle(KEYS);
        publish(session, heads);
        requireLittle(KEYS * DUE_OF_A_KEY);
        assertThat(count("due")).isEqualTo((long) KEYS * (DUE_OF_A_KEY - 1));
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void settling_one_key_touches_only_that_key(Statistics statistics) throws SQLException {
        RelaySession session = openWithDue(statistics);
        Batch one = session.claim(new Limits(1, 1_000)).orElseThrow();
        requireLittle(1);
        session.settle(one, List.of(new Settlement.RetryAt(clock().instant().plusSeconds(1), "busy")));
        requireLittle(DUE_OF_A_KEY);

        one = session.claim(new Limits(1, 1_000)).orElseThrow();
        publish(session, one);
        requireLittle(2);
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void a_page_of_fresh_events_queries_only_its_own_keys(Statistics statistics) throws SQLException {
        RelaySession session = openWithDue(statistics);
        closeAllKeys(session);
        appendFresh(KEYS - 100, KEYS + 99);
        statements.take();

        Batch fresh = session.claim(A_BATCH).orElseThrow();
        assertThat(fresh.events()).as("events of open keys").hasSize(100);
        requireLittle(400);
        publish(session, fresh);
        requireLittle(100);
    }

    @Test
    void pages_of_open_keys_query_no_keys_however_many_are_closed() throws SQLException {
        RelaySession session = openWithAllKeysClosed();
        appendFresh(KEYS, 10 * KEYS - 1);
        statements.take();

        assertThat(drain(session, new Limits(KEYS, 10_000_000))).hasSize(9 * KEYS);

        List<Explained> asked = statements.take();
        assertThat(asked).extracting(Explained::sql).doesNotContain(Parking.CLOSED_KEYS);
        assertThat(asked)
                .filteredOn(one -> one.sql().equals(PossiblyClosed.ALL_CLOSED_KEYS))
                .hasSizeLessThanOrEqualTo(1)
                .allSatisfy(one -> assertThat(one.touched()).isLessThanOrEqualTo(ROWS + KEYS));
    }

    @Test
    void more_closed_keys_than_are_remembered_are_queried() throws SQLException {
        park("due", 1, PossiblyClosed.MOST + 1, "n");
        database.execute("update waybill.parked set next_attempt_at = timestamptz '2100-01-01'");
        RelaySession session = openStarted();
        appendFresh(PossiblyClosed.MOST - 99, PossiblyClosed.MOST + 101);

        assertThat(drain(session)).as("events of open keys").hasSize(100);
        assertThat(statements.take()).extracting(Explained::sql).contains(Parking.CLOSED_KEYS);
    }

    @Test
    void a_key_that_an_operator_closes_meanwhile_is_closed() throws SQLException {
        park("dead", 1, 2, "n");
        park("due", 3, 3, "n");
        RelaySession session = openStarted();
        Batch three = session.claim(A_BATCH).orElseThrow();
        session.settle(three, List.of(new Settlement.RetryAt(clock().instant().plusSeconds(60), "busy")));
        append("other");
        assertThat(drain(session)).containsExactly("other");

        assertThat(admin().requeue(RELAY, Selection.all(ParkedState.DEAD), SOMEBODY))
                .isEqualTo(2);
        Batch requeued = session.claim(A_BATCH).orElseThrow();
        assertThat(requeued.events())
                .extracting(event -> event.type().toString())
                .containsExactly("n1", "n2");
        session.settle(
                requeued,
                List.of(new Settlement.RetryAt(clock().instant().plusSeconds(60), "busy"), Settlement.PUBLISHED));
        appendFresh(1, 3);

        assertThat(drain(session)).containsExactly("fresh2");
    }

    @Test
    void a_key_with_very_many_dead_events_touches_no_more() throws SQLException {
        park("dead", 1, 50_000, "'one'");
        database.execute("analyze waybill.parked");
        park("due", 50_001, 50_003, "'one'");
        RelaySession session = openStarted();

        Batch batch = session.claim(A_BATCH).orElseThrow();
        requireLittle(3);
        session.settle(
                batch,
                List.of(
                        Settlement.PUBLISHED,
                        new Settlement.RetryAt(clock().instant().plusSeconds(1), "busy"),
                        Settlement.BEHIND));
        requireLittle(3);
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload) values ('fresh', 'Thing', 'one', '{}')""");
        Batch behind = session.claim(A_BATCH).orElseThrow();
        assertThat(behind.events()).isEmpty();
        requireLittle(2);
    }

    @Test
    void a_poll_ignores_dead_events_that_hold_no_key() throws SQLException {
        park("dead", 1, 1_000, "n");
        RelaySession session = openStarted();
        append("a1");
        statements.take();

        assertThat(drain(session)).containsExactly("a1");
        assertThat(statements.take()).extracting(Explained::sql).doesNotContain(Parking.CLOSED_KEYS);
    }

    /** Deleted rows stay in the table and its indexes while a transaction may still see them. */
    @Test
    void deleted_rows_that_an_open_transaction_keeps_do_not_slow_a_poll() throws SQLException {
        int parked = 10_000;
        park("due", 1, parked, "n");
        RelaySession session = openStarted();
        Connection open = begin();
        try (Statement statement = open.createStatement()) {
            open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("select count(*) from waybill.relay");
        }
        for (int i = 0; i < parked / A_BATCH.events(); i++) {
            Batch due = session.claim(A_BATCH).orElseThrow();
            session.settle(
                    due,
                    due.events().stream()
                            .<Settlement>map(event ->
                                    new Settlement.RetryAt(clock().instant().plusSeconds(1), "busy"))
                            .toList());
        }
        clock().advance(Duration.ofSeconds(2));
        statements.take();
        assertThat(drain(session, A_BATCH)).hasSize(parked);
        assertThat(statements.take())
                .filteredOn(one -> one.sql().equals(Poller.statement(Durability.VISIBLE)))
                .hasSizeGreaterThan(parked / A_BATCH.events())
                .allSatisfy(one ->
                        assertThat(one.buffers()).as("a poll while it drains").isLessThan(200));
        assertThat(session.claim(A_BATCH)).isEmpty();
        assertThat(session.claim(A_BATCH)).isEmpty();
        assertThat(statements.take())
                .allSatisfy(one -> assertThat(one.buffers()).isLessThan(30));
    }

    @Test
    void events_that_an_operator_requeues_meanwhile_are_found() throws SQLException {
        park("due", 1, 10, "n");
        park("dead", 11, 20, "n");
        RelaySession session = openStarted();
        assertThat(drain(session)).hasSize(10);
        assertThat(session.claim(A_BATCH)).isEmpty();

        assertThat(admin().requeue(RELAY, Selection.all(ParkedState.DEAD), SOMEBODY))
                .isEqualTo(10);

        assertThat(drain(session)).hasSize(10);
        assertThat(count("dead")).isZero();
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void a_command_touches_only_the_selected_events(Statistics statistics) throws SQLException {
        park(statistics);
        openStarted().close();
        statements.take();
        StoreAdmin admin = PostgresJournal.on(statements.dataSource()).admin();
        List<String> some = database.texts(
                "select e.id from waybill.event e join waybill.parked p on p.seq = e.seq where p.state = 'due' order by p.seq limit 10");

        assertThat(admin.waitingBehind(RELAY, some.get(0), 100).all()).isTrue();
        requireLittle(DUE_OF_A_KEY);
        assertThat(admin.requeue(RELAY, Selection.of(some), SOMEBODY)).isEqualTo(10);
        requireLittle(DUE_OF_A_KEY);
        assertThat(admin.discard(RELAY, Selection.of(some), SOMEBODY)).isEqualTo(10);
        requireLittle(DUE_OF_A_KEY);
        assertThat(admin.parked(ParkedQuery.of(RELAY).in(ParkedState.DUE))).isNotEmpty();
        requireLittle(1_000);
        assertThat(admin.events(EventQuery.of(EventFilter.ALL).in(RELAY, State.PARKED))
                        .events())
                .hasSize(100);
        requireLittle(1_000);
        assertThat(admin.previewRequeue(RELAY, Selection.all(ParkedState.WAITING))
                        .found())
                .isZero();
        requireLittle(10);
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void the_status_reads_only_the_parked_events_that_it_counts(Statistics statistics) throws SQLException {
        park(statistics);
        openStarted().close();
        statements.take();

        RelayStatus status =
                PostgresJournal.on(statements.dataSource()).admin().relays().get(0);

        assertThat(List.of(status.parked(), status.dead())).containsOnly(RelayStatus.COUNTED + 1L);
        assertThat(statements.take())
                .filteredOn(one -> one.sql().contains("waybill.parked"))
                .hasSize(1)
                .allSatisfy(one -> assertThat(one.touched())
                        .as("rows read by %s", one)
                        .isLessThanOrEqualTo(ROWS + 2L * (RelayStatus.COUNTED + 1)));
    }

    // ---- helpers

    private StoreAdmin admin() {
        return PostgresJournal.on(database.dataSource(), options()).admin();
    }

    private RelaySession openWithDue(Statistics statistics) throws SQLException {
        park(statistics);
        return openStarted();
    }

    private RelaySession openWithAllKeysClosed() throws SQLException {
        RelaySession session = openWithDue(Statistics.OF_THE_DEAD_ALONE);
        closeAllKeys(session);
        return session;
    }

    private void closeAllKeys(RelaySession session) {
        for (Optional<Batch> due = session.claim(A_BATCH);
                due.isPresent() && !due.get().events().isEmpty();
                due = session.claim(A_BATCH)) {
            session.settle(
                    due.get(),
                    due.get().events().stream()
                            .<Settlement>map(event ->
                                    new Settlement.RetryAt(clock().instant().plusSeconds(60), "busy"))
                            .toList());
        }
    }

    private void appendFresh(int first, int last) throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'fresh' || n, 'Thing', n, '{}' from generate_series(%d, %d) n""".formatted(first, last));
    }

    private void park(Statistics statistics) throws SQLException {
        park("dead", 1, DEAD, "n % " + KEYS);
        if (statistics == Statistics.OF_THE_DEAD_ALONE) {
            database.execute("analyze waybill.parked");
        }
        park("due", DEAD + 1, DEAD + KEYS * DUE_OF_A_KEY, "n % " + KEYS);
    }

    /** Parked events of a relay, with their keys. */
    private void park(String state, int first, int last, String aggregate) throws SQLException {
        database.execute("""
                create function pg_temp.hash(key text) returns uuid language sql as $$
                    select overlay(overlay(md5(key) placing '3' from 13)
                        placing to_hex(8 + (('x' || substr(md5(key), 17, 1))::bit(4)::int & 3)) from 17)::uuid $$;
                insert into waybill.relay (name, system_id, base, base_next, base_floor, seq)
                select 'relay', system_identifier::text, '3:3:', '3', 0, 0 from pg_control_system() on conflict do nothing;
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'n' || n, 'Thing', (%1$s)::text, '{}' from generate_series(%2$d, %3$d) n;
                insert into waybill.parked (relay, seq, key, state, error, next_attempt_at)
                select 'relay', n, pg_temp.hash('Thing:' || (%1$s)), '%4$s', 'busy', case when '%4$s' = 'due' then timestamptz '-infinity' end
                  from generate_series(%2$d, %3$d) n""".formatted(aggregate, first, last, state));
    }

    /** A session that has published everything except what is parked. */
    private RelaySession openStarted() throws SQLException {
        database.execute("""
                update waybill.relay set base = pg_current_snapshot(), base_next = pg_snapshot_xmax(pg_current_snapshot()),
                       base_floor = coalesce(pg_sequence_last_value('waybill.event_seq_seq'), 0)""");
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        statements.take();
        return session;
    }

    private long count(String state) throws SQLException {
        return database.number("select count(*) from waybill.parked where state = '" + state + "'");
    }

    /** Checks each statement since the last call, given the number of rows or keys. */
    private void requireLittle(int about) {
        List<Explained> all = new ArrayList<>(statements.take().stream()
                .filter(one -> one.sql().contains("waybill.parked"))
                .toList());
        assertThat(all)
                .filteredOn(one -> one.sql().equals(DeletedEvents.FIND))
                .allSatisfy(one -> assertThat(one.touched())
                        .as("the search for deleted events")
                        .isLessThanOrEqualTo(400));
        all.removeIf(one -> one.sql().equals(DeletedEvents.FIND));
        assertThat(all).isNotEmpty().allSatisfy(one -> {
            assertThat(one.touched()).as("rows read by %s", one).isLessThanOrEqualTo(ROWS + (long) ROWS_EACH * about);
            assertThat(one.buffers())
                    .as("pages touched by %s", one)
                    .isLessThanOrEqualTo(PAGES + (long) PAGES_EACH * about);
        });
    }
}
