package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** N1: a relay may be told to read only rows of a time range. */
class TableRangeTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00.250Z");
    private static final Duration HOUR = Duration.ofHours(1);

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect ->
                        Stream.of("waybill", "notifications", "orders").map(preset -> Arguments.of(dialect, preset)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void rows_of_the_range_are_published_and_others_stay_pending(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String early = appendAt(world, NOON.minusMillis(1));
            String first = appendAt(world, NOON);
            String last = appendAt(world, NOON.plus(HOUR).minusMillis(1));
            String late = appendAt(world, NOON.plus(HOUR));
            world.with(options -> options.created(TimeRange.ALWAYS.from(NOON).until(NOON.plus(HOUR))));
            RelaySession session = world.open("one");
            assertThat(TableWorld.drain(session)).containsExactlyInAnyOrder(first, last);
            session.close();

            world.with(options -> options.created(TimeRange.ALWAYS));
            assertThat(TableWorld.drain(world.open("two"))).containsExactlyInAnyOrder(early, late);
        }
    }

    private static String appendAt(TableWorld world, Instant time) throws SQLException {
        String id = world.append("a");
        String literal = new TableTimes(world.layout, world.database.dialect()).literal(time);
        world.execute("update {table} set {created_at} = " + literal + " where {id} = '" + id + "'");
        return id;
    }

    @Test
    void a_range_that_ends_before_it_begins_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeRange.ALWAYS.from(NOON).until(NOON))
                .withMessageContaining(NOON.toString());
    }
}
