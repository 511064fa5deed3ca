package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row whose outcome the database refuses to store does not keep other rows from being settled. */
class RefusedOutcomeTest {
    private TableFixture fixture;

    private RelaySession open(TableDialect dialect, TableLayout layout, boolean competing, String change)
            throws SQLException {
        fixture = new TableFixture(dialect, layout)
                .with(options ->
                        options.claiming(competing ? TableOptions.Claiming.COMPETING : TableOptions.Claiming.ORDERED));
        fixture.execute(change);
        return fixture.open("one");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of(Arguments.of(dialect, false), Arguments.of(dialect, true)));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_error_is_cut_to_the_length_of_its_column(TableDialect dialect) throws SQLException {
        RelaySession session = open(dialect, TableLayout.orders(), false, type(dialect, "{error}", "varchar(255)"));
        String id = fixture.append("a");
        String other = fixture.append("b");
        Settlement retry =
                new Settlement.RetryAt(fixture.clock.instant().plusSeconds(60), "ü".repeat(200) + "e".repeat(200));

        assertThat(TableFixture.drain(session, Map.of(id, retry))).containsExactly(other);
        assertThat(fixture.row(id).get("error_message").toString())
                .hasSize(255)
                .startsWith("ü".repeat(200) + "e")
                .endsWith("…");
    }

    @ParameterizedTest(name = "{0}, competing {1}")
    @MethodSource("everywhere")
    void a_published_row_that_cannot_be_deleted_is_dead_and_not_sent_again(TableDialect dialect, boolean competing)
            throws SQLException {
        TableLayout layout = TableLayout.orders()
                .change()
                .published(TableLayout.Published.DELETE)
                .build();
        String type =
                dialect == TableDialect.MARIADB ? "char(36) character set utf8mb4 collate utf8mb4_nopad_bin" : "uuid";
        RelaySession session = open(
                dialect,
                layout,
                competing,
                "create table note (outbox_id " + type + ", foreign key (outbox_id) references {table} ({id}))");
        String before = fixture.append("a");
        String kept = fixture.append("a");
        String after = fixture.append("b");
        fixture.execute("insert into note values ('" + kept + "')");

        Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(TableFixture.ids(batch)).contains(before, kept, after);
        TableFixture.publish(session, batch);
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).isEmpty();
        session.close();
        assertThat(TableFixture.drain(fixture.open("two"))).isEmpty();
        assertThat(fixture.database.rows("select error from waybill_claim").toString())
                .contains("Published, but the row cannot be marked");
        assertThat(fixture.store().admin().relays().get(0).dead()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}, competing {1}")
    @MethodSource("everywhere")
    void a_row_whose_attempts_exceed_their_column_is_retried(TableDialect dialect, boolean competing)
            throws SQLException {
        TableLayout layout = TableLayout.notifications()
                .change()
                .column(TableColumn.ATTEMPTS, "attempts")
                .build();
        RelaySession session = open(dialect, layout, competing, type(dialect, "{attempts}", "smallint"));
        String id = fixture.append("a");
        String other = fixture.append("b");
        fixture.execute("update {table} set {attempts} = 32767 where {id} = '" + id + "'");

        assertThat(TableFixture.drain(session, Map.of(id, fixture.retryIn(Duration.ofSeconds(1)))))
                .containsExactly(other);
        assertThat(sideRows()).containsExactly(Map.of("row_id", id, "state", "retry"));
        fixture.clock.advance(Duration.ofSeconds(2));
        assertThat(TableFixture.drain(session)).containsExactly(id);
        assertThat(sideRows()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_dead_row_for_whose_state_an_enum_has_no_word_keeps_no_other_from_being_marked(boolean competing)
            throws SQLException {
        RelaySession session = open(
                TableDialect.MARIADB,
                TableLayout.notifications(),
                competing,
                "alter table {table} modify status enum('PENDING', 'PROCESSED') not null default 'PENDING'");
        String dead = fixture.append("a");
        String other = fixture.append("b");

        assertThat(TableFixture.drain(session, Map.of(dead, new Settlement.Dead("unroutable", true, false))))
                .containsExactly(other);
        assertThat(fixture.row(other)).containsEntry("status", "PROCESSED");
        assertThat(sideRows()).containsExactly(Map.of("row_id", dead, "state", "dead"));
    }

    @ParameterizedTest(name = "{0}, competing {1}")
    @CsvSource({"POSTGRESQL, false", "POSTGRESQL, true", "MARIADB, false", "MARIADB, true"})
    void a_row_whose_mark_a_trigger_refuses_keeps_no_other_from_being_marked(TableDialect dialect, boolean competing)
            throws SQLException {
        RelaySession session = open(dialect, TableLayout.notifications(), competing, "select 1");
        String refused = fixture.append("a");
        String other = fixture.append("b");
        if (dialect == TableDialect.POSTGRESQL) {
            fixture.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                    + " raise exception 'archived'; end $$");
            fixture.execute("create trigger refuse before update on {table} for each row when (old.event_id = '"
                    + refused + "') execute function refuse()");
        } else {
            fixture.execute("create trigger refuse before update on {table} for each row if new.event_id = '" + refused
                    + "' then signal sqlstate '45000' set message_text = 'archived'; end if");
        }

        assertThat(TableFixture.drain(session)).containsExactlyInAnyOrder(refused, other);
        assertThat(fixture.row(other)).containsEntry("status", "PROCESSED");
        assertThat(sideRows()).containsExactly(Map.of("row_id", refused, "state", "dead"));
    }

    @Test
    void a_failed_row_whose_id_is_too_long_for_the_side_table_is_dead_in_its_table() throws SQLException {
        RelaySession session = open(
                TableDialect.POSTGRESQL,
                TableLayout.notifications(),
                false,
                "alter table {table} alter column {id} type text");
        String id = "x".repeat(300);
        fixture.execute("insert into {table} (event_id, event_type, aggregate_type, aggregate_id, status, payload,"
                + " created_at) values ('" + id + "', 't', 'CUSTOMER', 1, 'PENDING', '{}',"
                + " now() at time zone 'utc' - interval '1 second')");
        String other = fixture.append("b");

        assertThat(TableFixture.drain(session, Map.of(id, fixture.retryIn(Duration.ofSeconds(1)))))
                .containsExactly(other);
        assertThat(fixture.row(id)).containsEntry("status", "FAILED");
        assertThat(fixture.row(other)).containsEntry("status", "PROCESSED");
    }

    @ParameterizedTest(name = "{0}, competing {1}")
    @MethodSource("everywhere")
    void a_dead_row_that_cannot_be_marked_is_sent_again_only_when_it_is_requeued(
            TableDialect dialect, boolean competing) throws SQLException {
        RelaySession session = open(
                dialect,
                TableLayout.notifications(),
                competing,
                "alter table {table} add constraint no_failed check ({state} <> 'FAILED')");
        String id = fixture.append("a");
        String other = fixture.append("b");
        Settlement dead = new Settlement.Dead("unroutable", true, false);
        assertThat(TableFixture.drain(session, Map.of(id, dead))).containsExactly(other);
        assertStaysDead(session, id);
        session.close();
        RelaySession next = fixture.open("two");
        assertStaysDead(next, id);

        fixture.execute("alter table {table} drop constraint no_failed");
        assertThat(fixture.store()
                        .admin()
                        .requeue(TableFixture.RELAY, Selection.all(ParkedState.DEAD), new Actor("anna", "repaired")))
                .isEqualTo(1);
        fixture.passNanos(Duration.ofSeconds(2));
        assertThat(TableFixture.drain(next)).containsExactly(id);
        assertThat(sideRows()).isEmpty();
    }

    @ParameterizedTest(name = "competing {0}")
    @ValueSource(booleans = {false, true})
    void a_published_row_that_cannot_be_changed_at_all_is_not_sent_again(boolean competing) throws SQLException {
        RelaySession session = open(TableDialect.POSTGRESQL, TableLayout.notifications(), competing, "select 1");
        String id = fixture.append("a");
        String other = fixture.append("b");
        fixture.execute("alter table {table} add constraint frozen check ({id} <> '" + id + "') not valid");
        assertThat(TableFixture.drain(session)).containsExactlyInAnyOrder(id, other);
        assertStaysDead(session, id);

        fixture.execute("alter table {table} drop constraint frozen");
        fixture.execute("update {table} set {state} = 'PROCESSED'");
        fixture.passNanos(Duration.ofSeconds(61));
        assertThat(TableFixture.drain(session)).isEmpty();
        assertThat(sideRows()).as("what was changed by SQL counts").isEmpty();
        assertThat(fixture.store().admin().relays().get(0).dead()).isZero();
    }

    private void assertStaysDead(RelaySession session, String id) throws SQLException {
        for (int minute = 0; minute < 3; minute++) {
            fixture.passNanos(Duration.ofSeconds(61));
            assertThat(TableFixture.drain(session)).isEmpty();
        }
        StoreAdmin admin = fixture.store().admin();
        assertThat(admin.relays().get(0).dead()).isEqualTo(1);
        assertThat(admin.relays().get(0).backlog()).isZero();
        assertThat(admin.parked(ParkedQuery.of(TableFixture.RELAY)))
                .extracting(ParkedEvent::eventId, ParkedEvent::state)
                .containsExactly(tuple(id, ParkedState.DEAD));
        assertThat(admin.events(EventQuery.of(EventFilter.ALL).in(TableFixture.RELAY, EventHistory.State.DEAD))
                        .events())
                .extracting(EventSummary::id)
                .containsExactly(id);
    }

    private static String type(TableDialect dialect, String column, String type) {
        return switch (dialect) {
            case POSTGRESQL -> "alter table {table} alter column " + column + " type " + type;
            case MARIADB -> "alter table {table} modify " + column + " " + type;
            case H2 -> "alter table {table} alter column " + column + " set data type " + type;
        };
    }

    private List<Map<String, Object>> sideRows() throws SQLException {
        return fixture.database.rows("select row_id, state from waybill_claim");
    }
}
