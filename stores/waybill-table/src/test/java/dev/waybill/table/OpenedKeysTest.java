package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key is opened by an operator or by somebody's SQL: what waits comes before later events of the key. */
class OpenedKeysTest {
    private static final Actor ANNA = new Actor("anna", "the order was cancelled");
    private static final Limits ONE = new Limits(1, 10_000_000);
    private static final Settlement HOLDS = new Settlement.Dead("no", true, true);

    private interface Opening {
        void open(TableFixture fixture, RelaySession session, String first) throws SQLException;
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_in_flight_that_will_go_behind_a_deleted_retry_is_not_overtaken(TableDialect dialect)
            throws SQLException {
        keepsOrderOfWhatIsInFlight(dialect, true, (fixture, session, first) -> {
            fixture.execute("delete from {table} where {id} = '" + first + "'");
            fixture.clock.advance(Duration.ofHours(1));
        });
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_in_flight_that_will_go_behind_a_discarded_retry_is_not_overtaken(TableDialect dialect)
            throws SQLException {
        keepsOrderOfWhatIsInFlight(
                dialect,
                true,
                (fixture, session, first) -> assertThat(discard(fixture, first)).isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_in_flight_that_will_go_behind_a_retry_that_was_deleted_before_it_was_settled_is_not_overtaken(
            TableDialect dialect) throws SQLException {
        keepsOrderOfWhatIsInFlight(
                dialect,
                false,
                (fixture, session, first) -> fixture.execute("delete from {table} where {id} = '" + first + "'"));
    }

    private static void keepsOrderOfWhatIsInFlight(TableDialect dialect, boolean afterRetry, Opening opening)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.waybill())) {
            RelaySession session = fixture.open("one");
            String first = fixture.append("a");
            Batch failing = session.claim(ONE).orElseThrow();
            String second = fixture.append("a");
            Batch late = session.claim(ONE).orElseThrow();
            List<Settlement> retry = List.of(fixture.retryIn(Duration.ofMinutes(1)));
            if (afterRetry) {
                session.settle(failing, retry);
                opening.open(fixture, session, first);
            } else {
                opening.open(fixture, session, first);
                session.settle(failing, retry);
            }
            String third = fixture.append("a");
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();

            session.settle(late, List.of(new Settlement.Behind()));
            assertThat(TableFixture.drain(session)).containsExactly(second, third);
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_discard_while_the_relay_is_paused_lets_what_waited_come_before_later_events(TableDialect dialect)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.waybill())) {
            RelaySession session = fixture.open("one");
            String first = fixture.append("a");
            session.settle(session.claim(TableFixture.PLENTY).orElseThrow(), List.of(HOLDS));
            String second = fixture.append("a");
            // On some databases a reader looks back for ten minutes. The sweep takes place in between.
            passOver(fixture, session, 25, Duration.ofSeconds(dialect == TableDialect.POSTGRESQL ? 2 : 50));
            StoreAdmin admin = fixture.store().admin();
            admin.pause(TableFixture.RELAY, ANNA);
            assertThat(discard(fixture, first)).isEqualTo(1);
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            admin.resume(TableFixture.RELAY, ANNA);

            List<String> published = new ArrayList<>(TableFixture.drain(session));
            String third = fixture.append("a");
            published.addAll(TableFixture.drain(session));
            assertThat(published).containsExactly(second, third);
        }
    }

    private static int discard(TableFixture fixture, String id) {
        return fixture.store().admin().discard(TableFixture.RELAY, Selection.of(id), ANNA);
    }

    private static void passOver(TableFixture fixture, RelaySession session, int times, Duration step) {
        for (int round = 0; round < times; round++) {
            assertThat(TableFixture.drain(session)).isEmpty();
            fixture.passNanos(step);
        }
    }

    @Test
    void an_event_that_was_committed_late_comes_after_the_later_one_that_closed_its_key_was_deleted()
            throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.waybill());
                Connection open = fixture.database.begin()) {
            RelaySession session = fixture.open("one");
            String late = fixture.append(open, "a");
            String head = fixture.append("a");
            Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
            assertThat(TableFixture.ids(batch)).containsExactly(head);
            session.settle(batch, List.of(fixture.retryIn(Duration.ofMinutes(1))));
            open.commit();
            passOver(fixture, session, 3, Duration.ofSeconds(2));
            fixture.execute("delete from {table} where {id} = '" + head + "'");
            fixture.clock.advance(Duration.ofHours(1));

            List<String> published = new ArrayList<>(TableFixture.drain(session));
            String third = fixture.append("a");
            published.addAll(TableFixture.drain(session));
            assertThat(published).containsExactly(late, third);
        }
    }

    @Test
    void what_waited_behind_a_dead_row_comes_first_although_the_row_is_deleted_between_two_steps_of_the_sweep()
            throws SQLException {
        int keys = 1_500;
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.waybill())) {
            RelaySession session = fixture.open("one");
            List<String> heads = appendEach(fixture, 0, keys);
            session.settle(session.claim(new Limits(keys, 10_000_000)).orElseThrow(), Collections.nCopies(keys, HOLDS));
            appendEach(fixture, 1, keys);
            String second = fixture.append("k0");
            passOver(fixture, session, 3, Duration.ofSeconds(2));
            fixture.passNanos(Duration.ofSeconds(61));
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            fixture.execute("delete from {table} where {id} = '" + heads.get(0) + "'");
            String third = fixture.append("k0");

            List<String> published = new ArrayList<>();
            for (int step = 0; step < 10; step++) {
                published.addAll(TableFixture.drain(session));
            }
            fixture.passNanos(Duration.ofSeconds(61));
            for (int step = 0; step < 10; step++) {
                published.addAll(TableFixture.drain(session));
            }
            assertThat(published).containsExactly(second, third);
        }
    }

    private static List<String> appendEach(TableFixture fixture, int from, int to) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection transaction = fixture.database.begin()) {
            for (int key = from; key < to; key++) {
                ids.add(fixture.append(transaction, "k" + key));
            }
            transaction.commit();
        }
        return ids;
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void other_keys_do_not_wait_while_side_rows_of_many_deleted_rows_are_cleaned_up(TableDialect dialect)
            throws SQLException {
        int rows = 500;
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.waybill())) {
            RelaySession session = fixture.open("one");
            appendEach(fixture, 0, rows);
            session.settle(
                    session.claim(TableFixture.PLENTY).orElseThrow(),
                    Collections.nCopies(rows, fixture.retryIn(Duration.ofMinutes(1))));
            passOver(fixture, session, 3, Duration.ofSeconds(2));
            fixture.execute("delete from {table}");
            fixture.clock.advance(Duration.ofHours(1));
            String other = fixture.append("other");

            assertThat(TableFixture.ids(
                            session.claim(new Limits(10, 10_000_000)).orElseThrow()))
                    .containsExactly(other);
        }
    }

    @Test
    void with_ten_thousand_published_rows_that_are_locked_nothing_more_is_claimed_until_some_are_free()
            throws SQLException {
        int rows = 12_000;
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.waybill())) {
            RelaySession session = fixture.open("one");
            fixture.append("a");
            fixture.multiply(rows);
            List<String> published = new ArrayList<>();
            try (Connection person = fixture.database.begin();
                    Statement statement = person.createStatement()) {
                statement.execute("select from waybill_event for update");
                Limits many = new Limits(5_000, 100_000_000);
                for (Optional<Batch> batch = session.claim(many); batch.isPresent(); batch = session.claim(many)) {
                    published.addAll(TableFixture.ids(batch.get()));
                    TableFixture.publish(session, batch.get());
                }
                assertThat(published).hasSize(10_000);
                person.commit();
            }
            published.addAll(TableFixture.drain(session));

            assertThat(published).hasSize(rows);
            assertThat(new HashSet<>(published)).hasSize(rows);
        }
    }
}
