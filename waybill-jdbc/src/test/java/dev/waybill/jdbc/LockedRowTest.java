package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A person has locked a row, in a transaction that stays open. */
class LockedRowTest {
    static Stream<Arguments> everywhere() {
        return TablesContractTest.everywhere()
                .filter(place -> List.of("orders", "waybill").contains(place.get()[1]));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_published_row_is_marked_once_it_is_free_and_nothing_comes_twice(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String first = world.append("a");
            String other = world.append("b");
            RelaySession session = world.open("one");
            Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
            try (Connection person = lock(world, first)) {
                TableWorld.publish(session, out);
                assertThat(isPending(world, other)).isFalse();
                String behind = world.append("a");
                String later = world.append("b");
                assertThat(TableWorld.drain(session)).containsExactly(behind, later);
                assertThat(isPending(world, first)).isTrue();
                person.rollback();
            }
            assertThat(session.claim(TableWorld.PLENTY)).isEmpty();
            assertThat(isPending(world, first)).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_row_that_failed_holds_its_key_up_and_others_go_on(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String retried = world.append("a");
            String dead = world.append("b");
            String other = world.append("c");
            RelaySession session = world.open("one");
            Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
            String behind = world.append("a");
            try (Connection person = lock(world, retried, dead)) {
                session.settle(
                        out,
                        List.of(
                                world.retryIn(Duration.ofMinutes(1)),
                                new Settlement.Dead("never", true, false),
                                Settlement.PUBLISHED));
                assertThat(isPending(world, other)).isFalse();
                String later = world.append("c");
                assertThat(TableWorld.drain(session)).containsExactly(later);
                person.rollback();
            }
            world.clock.advance(Duration.ofHours(1));
            Settlement again = new Settlement.Dead("never", true, false);
            assertThat(TableWorld.drain(session, Map.of(dead, again))).containsExactly(retried, behind);
            assertThat(world.store().admin().relays().get(0).dead()).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_relay_that_competes_keeps_its_lease_and_marks_the_row_later(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset)).with(TableOptions::competing)) {
            String first = world.append("a");
            String other = world.append("b");
            RelaySession session = world.open("one");
            RelaySession rival = world.open("two");
            Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
            try (Connection person = lock(world, first)) {
                TableWorld.publish(session, out);
                assertThat(isPending(world, other)).isFalse();
                String later = world.append("b");
                assertThat(TableWorld.drain(session)).containsExactly(later);
                assertThat(isPending(world, first)).isTrue();
                person.rollback();
            }
            assertThat(rival.claim(TableWorld.PLENTY)).isEmpty();
            assertThat(session.claim(TableWorld.PLENTY)).isEmpty();
            assertThat(isPending(world, first)).isFalse();
        }
    }

    private static Connection lock(TableWorld world, String... ids) throws SQLException {
        Connection person = world.database.begin();
        LayoutNames names = new LayoutNames(world.layout, world.database.dialect());
        try (Statement statement = person.createStatement()) {
            for (String id : ids) {
                statement.executeQuery(names.in("select {id} from {table} where {id} = '" + id + "' for update"));
            }
        }
        return person;
    }

    private static boolean isPending(TableWorld world, String id) throws SQLException {
        LayoutNames names = new LayoutNames(world.layout, world.database.dialect());
        return !world.database
                .rows(names.in("select 1 from {table} where {id} = '" + id + "' and {is_pending}"))
                .isEmpty();
    }
}
