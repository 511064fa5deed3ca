package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.admin.RelayStatus;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** N1: a relay can be limited to rows of a time range. */
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
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String early = appendAt(fixture, NOON.minusMillis(1));
            String first = appendAt(fixture, NOON);
            String last = appendAt(fixture, NOON.plus(HOUR).minusMillis(1));
            String late = appendAt(fixture, NOON.plus(HOUR));
            fixture.with(options -> options.created(TimeRange.ALWAYS.from(NOON).until(NOON.plus(HOUR))));
            RelaySession session = fixture.open("one");
            assertThat(TableFixture.drain(session)).containsExactlyInAnyOrder(first, last);
            session.close();

            fixture.with(options -> options.created(TimeRange.ALWAYS));
            assertThat(TableFixture.drain(fixture.open("two"))).containsExactlyInAnyOrder(early, late);
        }
    }

    static Stream<Arguments> withoutDeadState() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect ->
                        Stream.of(TableOptions.Claiming.values()).map(claiming -> Arguments.of(dialect, claiming)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("withoutDeadState")
    void dead_and_waiting_rows_outside_the_range_stay_dead_and_waiting(
            TableDialect dialect, TableOptions.Claiming claiming) throws SQLException {
        try (TableFixture fixture =
                new TableFixture(dialect, TableLayout.polyshop()).with(options -> options.claiming(claiming))) {
            String dead = appendAt(fixture, NOON);
            String waiting = appendAt(fixture, NOON);
            RelaySession session = fixture.open("one");
            TableFixture.drain(
                    session, Map.of(dead, new Settlement.Dead("refused", true, false), waiting, fixture.retryIn(HOUR)));
            session.close();

            fixture.with(options -> options.created(TimeRange.ALWAYS.from(NOON.plus(HOUR))));
            RelaySession limited = fixture.open("two");
            for (int minute = 0; minute < 2; minute++) {
                fixture.passNanos(Duration.ofSeconds(61));
                assertThat(TableFixture.drain(limited)).isEmpty();
            }
            limited.close();
            RelayStatus status = fixture.store().admin().relays().get(0);
            assertThat(status.dead()).isEqualTo(1);
            assertThat(status.parked()).isEqualTo(1);
            fixture.with(options -> options.created(TimeRange.ALWAYS));
            assertThat(TableFixture.drain(fixture.open("three"))).isEmpty();
        }
    }

    private static String appendAt(TableFixture fixture, Instant time) throws SQLException {
        String id = fixture.append("a");
        String literal = new TableTimes(fixture.layout, fixture.database.dialect()).literal(time);
        fixture.execute("update {table} set {created_at} = " + literal + " where {id} = '" + id + "'");
        return id;
    }

    @Test
    void a_range_that_ends_before_it_begins_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeRange.ALWAYS.from(NOON).until(NOON))
                .withMessageContaining(NOON.toString());
    }
}
