package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows are changed by SQL in a table with more rows of one time than a step of the sweep reads. */
class RowsChangedBySqlTest {
    private static final int ROWS = 1_200;

    static Stream<Arguments> everywhere() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("orders", "pubsub", "waybill"));
    }

    static Stream<Arguments> orderedByTime() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("orders", "pubsub", "polyshop"));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void rows_of_one_time_that_were_set_to_pending_by_sql_are_all_published(TableDialect dialect, String preset)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            fixture.append("a");
            fixture.multiply(ROWS);
            RelaySession session = fixture.open("one");
            Settlement dead = new Settlement.Dead("never", true, false);
            for (var batch = session.claim(TableFixture.PLENTY);
                    batch.isPresent();
                    batch = session.claim(TableFixture.PLENTY)) {
                session.settle(
                        batch.get(), Collections.nCopies(batch.get().events().size(), dead));
            }
            assertThat(fixture.store().admin().relays().get(0).dead()).isEqualTo(ROWS);
            fixture.execute(
                    fixture.layout.state() instanceof TableState.Words words
                            ? "update {table} set {state} = '" + words.pending() + "'"
                            : "update {table} set {attempts} = 0");
            fixture.passNanos(Duration.ofSeconds(61));
            int published = 0;
            for (int i = 0; i < 20 && published < ROWS; i++) {
                published += TableFixture.drain(session).size();
            }
            assertThat(published).isEqualTo(ROWS);
            assertThat(fixture.store().admin().relays().get(0).dead()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void in_a_replay_a_key_goes_on_after_the_dead_row_that_held_it_was_deleted_by_sql(TableDialect dialect)
            throws SQLException {
        RelayName again = new RelayName("again");
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.waybill())) {
            String first = fixture.append("a");
            String second = fixture.append("a");
            fixture.store().replays().start(again, ReplayQuery.EVERYTHING, new Actor("anna", "once more"));
            try (RelaySession replay = fixture.store()
                    .replays()
                    .store()
                    .open(again, new OwnerId("one"), TableFixture.LEASE)
                    .orElseThrow()) {
                Batch batch = replay.claim(TableFixture.PLENTY).orElseThrow();
                replay.settle(batch, List.of(new Settlement.Dead("never", true, true), Settlement.BEHIND));
                assertThat(TableFixture.drain(replay)).isEmpty();
                fixture.execute("delete from {table} where {id} = '" + first + "'");
                fixture.passNanos(Duration.ofSeconds(61));

                assertThat(replay.claim(TableFixture.PLENTY)).isEmpty();
                assertThat(TableFixture.drain(replay)).containsExactly(second);
                assertThat(replay.claim(TableFixture.PLENTY)).isEmpty();
                assertThat(fixture.store().replays().replay(again).orElseThrow().state())
                        .isEqualTo(ReplayStatus.State.THROUGH);
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedByTime")
    void a_row_set_to_pending_after_many_rows_of_a_closed_key_is_published(TableDialect dialect, String preset)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String last = appendOfOneTime(fixture);
            RelaySession session = fixture.open("one");
            Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
            session.settle(batch, Collections.nCopies(batch.events().size(), fixture.retryIn(Duration.ofDays(1))));
            assertThat(TableFixture.drain(session)).containsExactly(last);

            fixture.execute("update {table} set " + pending(fixture.layout.state()) + " where {id} = '" + last + "'");
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            fixture.passNanos(Duration.ofSeconds(61));
            assertThat(drainOften(session)).containsExactly(last);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedByTime")
    void deleting_a_dead_row_opens_its_key_although_many_rows_that_hold_theirs_precede_it(
            TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String last = appendOfOneTime(fixture);
            RelaySession session = fixture.open("one");
            Settlement dead = new Settlement.Dead("never", true, true);
            Batch first = session.claim(new Limits(ROWS, 10_000_000)).orElseThrow();
            session.settle(first, Collections.nCopies(first.events().size(), dead));
            assertThat(fixture.store().admin().relays().get(0).dead()).isEqualTo(ROWS);

            fixture.execute("delete from {table} where {id} = '" + last + "'");
            String later = fixture.append("b");
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            fixture.passNanos(Duration.ofSeconds(61));
            assertThat(drainOften(session)).containsExactly(later);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedByTime")
    void the_side_row_of_a_deleted_dead_row_is_removed_although_many_dead_rows_precede_it(
            TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String last = appendOfOneTime(fixture);
            RelaySession session = fixture.open("one");
            Settlement dead = new Settlement.Dead("never", true, false);
            Batch first = session.claim(new Limits(ROWS, 10_000_000)).orElseThrow();
            session.settle(first, Collections.nCopies(first.events().size(), dead));

            fixture.execute("delete from {table} where {id} = '" + last + "'");
            for (int minute = 0; minute < 4; minute++) {
                fixture.passNanos(Duration.ofSeconds(61));
                assertThat(drainOften(session)).isEmpty();
            }
            assertThat(fixture.database.rows("select row_id from waybill_claim"))
                    .hasSize(ROWS - 1)
                    .noneMatch(row -> last.equals(row.get("row_id")));
        }
    }

    /** Where no reader looks back for minutes. */
    static Stream<Arguments> orderedBySequence() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("waybill"));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedBySequence")
    void what_waited_behind_a_deleted_row_that_is_due_comes_before_later_events_of_its_key(
            TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            RelaySession session = fixture.open("one");
            String first = retried(fixture, session, Duration.ofMinutes(1));
            String second = fixture.append("a");
            passOver(fixture, session);
            fixture.execute("delete from {table} where {id} = '" + first + "'");
            assertThat(TableFixture.drain(session)).isEmpty();

            fixture.clock.advance(Duration.ofHours(1));
            List<String> published = new ArrayList<>(TableFixture.drain(session));
            String third = fixture.append("a");
            published.addAll(TableFixture.drain(session));

            assertThat(published).containsExactly(second, third);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedBySequence")
    void what_waited_behind_a_deleted_row_comes_first_although_the_sweep_takes_several_steps(
            TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            RelaySession session = fixture.open("one");
            String first = retried(fixture, session, Duration.ofDays(1));
            String second = fixture.append("a");
            fixture.appendMany(ROWS);
            Batch others = session.claim(new Limits(2 * ROWS, 10_000_000)).orElseThrow();
            session.settle(others, Collections.nCopies(others.events().size(), fixture.retryIn(Duration.ofDays(1))));
            passOver(fixture, session);
            fixture.execute("delete from {table} where {id} = '" + first + "'");

            fixture.passNanos(Duration.ofSeconds(61));
            String third = fixture.append("a");

            assertThat(drainOften(session)).containsExactly(second, third);
        }
    }

    private static String retried(TableFixture fixture, RelaySession session, Duration wait) throws SQLException {
        String id = fixture.append("a");
        session.settle(session.claim(TableFixture.PLENTY).orElseThrow(), List.of(fixture.retryIn(wait)));
        return id;
    }

    /** Until the reader does not look back any more. */
    private static void passOver(TableFixture fixture, RelaySession session) {
        for (int round = 0; round < 3; round++) {
            assertThat(TableFixture.drain(session)).isEmpty();
            fixture.passNanos(Duration.ofSeconds(2));
        }
    }

    /**
     * The rows are so old that no reader looks back to them.
     *
     * @return the id of the last one, whose key is b; the key of all others is a
     */
    private static String appendOfOneTime(TableFixture fixture) throws SQLException {
        TableDialect dialect = fixture.database.dialect();
        fixture.append("a");
        String anHourAgo =
                new TableTimes(fixture.layout, dialect).literal(Instant.now().minus(Duration.ofHours(1)));
        fixture.execute("update {table} set {created_at} = " + anHourAgo);
        fixture.multiply(ROWS);
        LayoutNames names = new LayoutNames(fixture.layout, dialect);
        String last = fixture.database
                .rows(names.in("select {id} as id from {table} order by {id} desc limit 1"))
                .get(0)
                .get("id")
                .toString();
        fixture.execute(
                "update {table} set {aggregate_id} = '" + fixture.aggregateId("b") + "' where {id} = '" + last + "'");
        return last;
    }

    private static String pending(TableState state) {
        if (state instanceof TableState.Words words) {
            return "{state} = '" + words.pending() + "'";
        }
        return state instanceof TableState.Flag ? "{state} = false" : "{published_at} = null";
    }

    /** Each claim is one step; these are more steps than the rows need. */
    private static List<String> drainOften(RelaySession session) {
        List<String> published = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            published.addAll(TableFixture.drain(session));
        }
        return published;
    }
}
