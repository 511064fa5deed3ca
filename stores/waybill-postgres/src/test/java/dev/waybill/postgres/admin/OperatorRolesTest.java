package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Payload;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators and viewers with plain SQL can change or read nothing without an audit entry that names them. */
class OperatorRolesTest extends OperatorRolesFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update waybill.relay set seq = 0, base_floor = 0",
                "update waybill.relay set paused = true",
                "insert into waybill.relay select * from waybill.relay",
                "delete from waybill.relay",
                "update waybill.lease set owner = null",
                "update waybill.parked set state = 'waiting'",
                "delete from waybill.parked",
                "insert into waybill.discarded (seq, relay, attempts, note) values (1, 'relay', 0, 'x')",
                "delete from waybill.dropped",
                "update waybill.replay set sent = 0",
                "insert into waybill.cluster (system_id, kept) values ('a', 'b')",
                "insert into waybill.audit (who, why, action, relay, details) values ('ceo', '', 'drop', '', '')",
                "update waybill.audit set who = 'ceo'",
                "delete from waybill.audit",
                "truncate waybill.audit",
                "alter table waybill.audit disable trigger all",
                "select payload from waybill.event",
                "select headers from waybill.event",
                "select * from waybill.event",
                "copy waybill.event to stdout",
                "select waybill.payload(1)",
                "select waybill.ask_payload(gen_random_uuid(), '', '')",
                "select waybill.reopen('relay', '{}')",
                "select waybill.lock_relay('relay')",
                "select waybill.note_audit('discard', 'relay', 'all', 'ceo', '', true)",
                "select waybill.note_act('payload', '', gen_random_uuid()::text, '', '')",
                "alter function waybill.set_paused(text, boolean, text, text) reset all"
            })
    void an_operator_is_refused(String sql) throws SQLException {
        refused(OPERATOR, sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select key from waybill.event",
                "select aggregate_id from waybill.event",
                "select 1 from waybill.event where key = 'x'",
                "select waybill.note_audit('discard', 'relay', 'all', 'ceo', '', true)",
                "select waybill.note_act('discard', 'relay', 'all', 'ceo', '')",
                "select waybill.set_paused('relay', true, '', '')",
                "select waybill.requeue('relay', '{1}', null, '', '', '')",
                "select waybill.lock_relay('relay')"
            })
    void a_viewer_is_refused(String sql) throws SQLException {
        refused(VIEWER, sql);
    }

    @Test
    void a_viewer_lists_events_but_cannot_filter_by_hidden_columns() throws SQLException {
        append("a1", "a2");
        StoreAdmin viewer = as(VIEWER);
        assertThat(viewer.events(EventQuery.of(EventFilter.ALL)).events()).hasSize(2);
        String id = database.texts("select id::text from waybill.event").get(0);
        assertThat(viewer.show(id).orElseThrow().payloadBytes()).isPositive();
        EventQuery byKey = EventQuery.of(EventFilter.ALL.key("Thing:a"));
        assertThatThrownBy(() -> viewer.events(byKey))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("42501");
        assertThat(as(OPERATOR).events(byKey).events()).hasSize(2);
    }

    @Test
    void user_address_and_time_in_the_audit_come_from_the_database() throws SQLException {
        open().close();
        Instant before = Instant.now().minusSeconds(60);
        as(OPERATOR).pause(RELAY, ANNA);
        database.execute("""
                insert into waybill.audit (at, who, address, why, action, relay, details)
                values ('-infinity', 'ceo', '10.9.8.7', '', 'drop', '', '')""");

        List<AuditEntry> audit = as(VIEWER).audit(10);
        assertThat(audit).hasSize(2).allSatisfy(entry -> {
            assertThat(entry.at()).isAfter(before);
            assertThat(entry.login().orElseThrow().address().orElseThrow()).isIn("127.0.0.1", "::1");
        });
        assertThat(audit.get(0).login().orElseThrow().user())
                .isEqualTo(database.texts("select session_user").get(0));
        assertThat(audit.get(0).by().who()).isEqualTo("ceo");
        assertThat(audit.get(1).login().orElseThrow().user()).isEqualTo(OPERATOR);
        assertThat(audit.get(1).by()).isEqualTo(ANNA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "\u2003"})
    void an_invalid_name_leaves_the_audit_readable(String said) throws SQLException {
        try (Connection connection = database.dataSourceAs(VIEWER).getConnection();
                PreparedStatement note =
                        connection.prepareStatement("select waybill.note_denial('drop', 'relay', '', ?, '')")) {
            note.setString(1, said);
            note.execute();
        }

        AuditEntry entry = as(VIEWER).audit(1).get(0);
        assertThat(entry.allowed()).isFalse();
        assertThat(entry.login().orElseThrow().user()).isEqualTo(VIEWER);
        assertThat(entry.by().who()).isNotBlank();
    }

    @Test
    void an_operator_that_becomes_a_viewer_loses_the_privileges_of_an_operator() throws SQLException {
        String role = "people_demoted";
        database.execute("create role " + role + " login");
        try (Connection connection = database.connect()) {
            JournalSchema.grant(connection, DatabaseRoles.NONE.operator(role).revealer(role));
            JournalSchema.grant(connection, DatabaseRoles.NONE.viewer(role));
        }

        refused(role, "select waybill.set_paused('relay', true, '', '')");
        refused(role, "select waybill.ask_payload(gen_random_uuid(), '', '')");
    }

    @Test
    void objects_of_a_caller_do_not_shadow_those_of_the_functions() throws SQLException {
        open().close();
        try (Connection connection = database.dataSourceAs(OPERATOR).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create temp table audit (id int); create temp table relay (name text, paused boolean)");
            statement.execute("create function pg_temp.clock_timestamp() returns timestamptz language sql"
                    + " as $$ select timestamptz '-infinity' $$");
            statement.execute(
                    "create function pg_temp.left(text, int) returns text language sql as $$ select 'forged' $$");
            statement.execute("set search_path = pg_temp, waybill, pg_catalog");
            statement.execute("select waybill.set_paused('relay', true, 'anna', 'why')");
        }
        AuditEntry entry = as(VIEWER).audit(1).get(0);
        assertThat(entry.action()).isEqualTo("pause");
        assertThat(entry.by()).isEqualTo(new Actor("anna", "why"));
        assertThat(entry.at()).isAfter(Instant.EPOCH);
    }

    /** Except for the one that every append calls; see JournalSizesTest. */
    @Test
    void every_function_has_a_fixed_search_path_and_no_default_grants() throws SQLException {
        assertThat(database.texts("""
                select proname from pg_proc where pronamespace = 'waybill'::regnamespace
                   and (proconfig is null or proconfig[1] <> 'search_path=pg_catalog, pg_temp')""")).containsExactly("require_storable");
        assertThat(database.texts("""
                select proname from pg_proc where pronamespace = 'waybill'::regnamespace
                   and has_function_privilege('people_nobody', oid, 'execute')""")).isEmpty();
    }

    @Test
    void a_payload_is_shown_only_after_its_audit_entry_is_committed() throws SQLException {
        append("a1");
        String id = database.texts("select id::text from waybill.event").get(0);
        try (Connection connection = database.dataSourceAs(REVEALER).getConnection()) {
            connection.setAutoCommit(false);
            long asked = ask(connection, id);
            assertThat(payload(connection, asked))
                    .as("before its entry is committed")
                    .isNull();
            connection.rollback();
            assertThat(payload(connection, asked)).as("after a rollback").isNull();
            connection.rollback();
        }
        assertThat(as(VIEWER).audit(10)).isEmpty();

        Payload shown = as(REVEALER).payload(id, ANNA).orElseThrow();
        assertThat(new String(shown.bytes(), StandardCharsets.UTF_8)).startsWith("{");
        AuditEntry entry = as(VIEWER).audit(10).get(0);
        assertThat(entry.action()).isEqualTo("payload");
        assertThat(entry.details()).isEqualTo(id);
        assertThat(entry.login().orElseThrow().user()).isEqualTo(REVEALER);
    }

    private static long ask(Connection connection, String id) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select waybill.ask_payload('" + id + "', 'anna', 'why')")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static @Nullable String payload(Connection connection, long asked) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select payload::text from waybill.payload(" + asked + ")")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void denied_commands_of_an_operator_are_in_the_audit() throws SQLException {
        try (RelaySession session = open()) {
            assertThat(session.epoch()).isPositive();
            assertThatThrownBy(() -> as(OPERATOR).drop(RELAY, ANNA)).isInstanceOf(StoreRefusedException.class);
        }
        AuditEntry entry = as(VIEWER).audit(1).get(0);
        assertThat(entry.action()).isEqualTo("drop");
        assertThat(entry.allowed()).isFalse();
        assertThat(entry.details()).startsWith("it is run by ");
    }

    @Test
    void an_event_that_is_discarded_already_is_not_discarded_again() throws SQLException {
        append("a1");
        String id;
        try (RelaySession session = open()) {
            Batch batch = session.claim(PLENTY).orElseThrow();
            id = batch.events().get(0).id().toString();
            session.settle(batch, List.of(new Settlement.Dead("never", true, false)));
        }
        assertThat(as(OPERATOR).requeue(RELAY, Selection.of(id), ANNA)).isEqualTo(1);
        assertThat(as(OPERATOR).discard(RELAY, Selection.of(id), ANNA)).isEqualTo(1);
        assertThat(as(OPERATOR).discard(RELAY, Selection.of(id), ANNA)).isZero();
        assertThat(as(VIEWER).audit(3))
                .extracting(entry -> entry.details().substring(0, 8))
                .containsExactly("0 events", "1 events", "1 events");
    }

    @Test
    void the_events_in_an_audit_entry_come_from_the_database() throws SQLException {
        append("a1", "a2", "a3");
        open().close();
        database.execute("insert into waybill.parked (relay, seq, key, state, holds, attempts, error)" + " select '"
                + RELAY.value() + "', seq, gen_random_uuid(), 'dead', false, 3, 'e' from waybill.event");
        List<String> ids = database.texts("select id::text from waybill.event order by seq");
        for (String function : List.of("requeue", "discard")) {
            callAs(
                    OPERATOR,
                    "select waybill." + function + "('" + RELAY.value()
                            + "', array(select seq from waybill.parked), null, 'event 0', 'anna', 'test data')");
            assertThat(as(VIEWER).audit(1).get(0).details())
                    .isEqualTo("3 events (" + String.join(", ", ids) + "); asked for: event 0");
        }
    }
}
