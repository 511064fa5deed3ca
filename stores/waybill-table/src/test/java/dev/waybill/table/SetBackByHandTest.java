package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** People change rows with SQL, beside more rows of one time than a step of the sweep holds. */
class SetBackByHandTest {
    private static final int ROWS = 2_500;

    static Stream<Arguments> everywhere() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("orders", "pubsub", "waybill"));
    }

    static Stream<Arguments> orderedByTime() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("orders", "pubsub", "polyshop"));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void rows_of_one_time_that_were_set_back_by_hand_are_all_published(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            world.append("a");
            world.multiply(ROWS);
            RelaySession session = world.open("one");
            Settlement dead = new Settlement.Dead("never", true, false);
            for (var batch = session.claim(TableWorld.PLENTY);
                    batch.isPresent();
                    batch = session.claim(TableWorld.PLENTY)) {
                session.settle(
                        batch.get(), Collections.nCopies(batch.get().events().size(), dead));
            }
            assertThat(world.store().admin().relays().get(0).dead()).isEqualTo(ROWS);
            world.execute(
                    world.layout.state() instanceof TableState.Words words
                            ? "update {table} set {state} = '" + words.pending() + "'"
                            : "update {table} set {attempts} = 0");
            world.passNanos(Duration.ofSeconds(61));
            int published = 0;
            for (int i = 0; i < 20 && published < ROWS; i++) {
                published += TableWorld.drain(session).size();
            }
            assertThat(published).isEqualTo(ROWS);
            assertThat(world.store().admin().relays().get(0).dead()).isZero();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedByTime")
    void a_row_set_back_behind_many_of_a_closed_key_is_published(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String last = appendOfOneTime(world);
            RelaySession session = world.open("one");
            Batch batch = session.claim(TableWorld.PLENTY).orElseThrow();
            session.settle(batch, Collections.nCopies(batch.events().size(), world.retryIn(Duration.ofDays(1))));
            assertThat(TableWorld.drain(session)).containsExactly(last);

            world.execute("update {table} set " + pending(world.layout.state()) + " where {id} = '" + last + "'");
            assertThat(session.claim(TableWorld.PLENTY)).isEmpty();
            world.passNanos(Duration.ofSeconds(61));
            assertThat(drainOften(session)).containsExactly(last);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedByTime")
    void a_dead_row_deleted_behind_many_that_hold_their_key_opens_its_own(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String last = appendOfOneTime(world);
            RelaySession session = world.open("one");
            Settlement dead = new Settlement.Dead("never", true, true);
            Batch first = session.claim(new Limits(ROWS, 10_000_000)).orElseThrow();
            session.settle(first, Collections.nCopies(first.events().size(), dead));
            assertThat(world.store().admin().relays().get(0).dead()).isEqualTo(ROWS);

            world.execute("delete from {table} where {id} = '" + last + "'");
            String later = world.append("b");
            assertThat(session.claim(TableWorld.PLENTY)).isEmpty();
            world.passNanos(Duration.ofSeconds(61));
            assertThat(drainOften(session)).containsExactly(later);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedByTime")
    void a_dead_row_deleted_behind_many_that_hold_nothing_is_forgotten_in_time(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String last = appendOfOneTime(world);
            RelaySession session = world.open("one");
            Settlement dead = new Settlement.Dead("never", true, false);
            Batch first = session.claim(new Limits(ROWS, 10_000_000)).orElseThrow();
            session.settle(first, Collections.nCopies(first.events().size(), dead));

            world.execute("delete from {table} where {id} = '" + last + "'");
            for (int minute = 0; minute < 4; minute++) {
                world.passNanos(Duration.ofSeconds(61));
                assertThat(drainOften(session)).isEmpty();
            }
            assertThat(world.database.rows("select row_id from waybill_claim"))
                    .hasSize(ROWS - 1)
                    .noneMatch(row -> last.equals(row.get("row_id")));
        }
    }

    /**
     * So old that no reader looks back to them.
     *
     * @return the id of the last, whose key is b; that of all others is a
     */
    private static String appendOfOneTime(TableWorld world) throws SQLException {
        TableDialect dialect = world.database.dialect();
        world.append("a");
        String anHourAgo =
                new TableTimes(world.layout, dialect).literal(Instant.now().minus(Duration.ofHours(1)));
        world.execute("update {table} set {created_at} = " + anHourAgo);
        world.multiply(ROWS);
        LayoutNames names = new LayoutNames(world.layout, dialect);
        String last = world.database
                .rows(names.in("select {id} as id from {table} order by {id} desc limit 1"))
                .get(0)
                .get("id")
                .toString();
        world.execute(
                "update {table} set {aggregate_id} = '" + world.aggregateId("b") + "' where {id} = '" + last + "'");
        return last;
    }

    private static String pending(TableState state) {
        if (state instanceof TableState.Words words) {
            return "{state} = '" + words.pending() + "'";
        }
        return state instanceof TableState.Flag ? "{state} = false" : "{published_at} = null";
    }

    /** Each claim goes a step further; these are more than the rows have steps. */
    private static List<String> drainOften(RelaySession session) {
        List<String> published = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            published.addAll(TableWorld.drain(session));
        }
        return published;
    }
}
