package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The privileges of each role, complete, from the catalog. */
class JournalGrantsTest extends JournalRolesFixture {
    /** All privileges of a role: on tables, columns, sequences, functions and the schema. */
    private List<String> privilegesOf(String role) throws SQLException {
        return database.texts("""
                with r as (select oid from pg_roles where rolname = '%s'),
                     t as (select c.oid, c.relname from pg_class c
                            where c.relnamespace = 'waybill'::regnamespace and c.relkind = 'r')
                select relname || ' ' || lower(p) from t, r,
                       unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
                 where has_table_privilege(r.oid, t.oid, p)
                union all
                select relname || '.' || a.attname || ' ' || lower(p) from t
                  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0, r,
                       unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) p
                 where has_column_privilege(r.oid, t.oid, a.attnum, p) and not has_table_privilege(r.oid, t.oid, p)
                union all
                select c.relname || ' ' || lower(p) from pg_class c, r, unnest(array['SELECT', 'USAGE', 'UPDATE']) p
                 where c.relnamespace = 'waybill'::regnamespace and c.relkind = 'S' and has_sequence_privilege(r.oid, c.oid, p)
                union all
                select 'function ' || f.proname from pg_proc f, r
                 where f.pronamespace = 'waybill'::regnamespace and has_function_privilege(r.oid, f.oid, 'execute')
                union all
                select 'schema ' || lower(p) from r, unnest(array['USAGE', 'CREATE']) p
                 where has_schema_privilege(r.oid, 'waybill', p)
                order by 1""".formatted(role));
    }

    @Test
    void a_producer_may_insert_the_columns_of_an_event_and_nothing_else() throws SQLException {
        assertThat(privilegesOf(PRODUCER))
                .containsExactlyInAnyOrder(
                        "schema usage",
                        "event.id insert",
                        "event.type insert",
                        "event.version insert",
                        "event.aggregate_type insert",
                        "event.aggregate_id insert",
                        "event.aggregate_version insert",
                        "event.topic insert",
                        "event.key insert",
                        "event.payload insert",
                        "event.payload_bytes insert",
                        "event.content_type insert",
                        "event.headers insert");
    }

    @Test
    void a_relay_may_change_nothing_in_an_event() throws SQLException {
        assertThat(privilegesOf(RELAY_ROLE))
                .containsExactlyInAnyOrder(
                        "schema usage",
                        "event select",
                        "event delete",
                        "event_seq_seq select",
                        "epoch usage",
                        "schema_version select",
                        "relay select",
                        "relay insert",
                        "relay update",
                        "lease select",
                        "lease insert",
                        "lease update",
                        "dropped select",
                        "parked select",
                        "parked insert",
                        "parked update",
                        "parked delete",
                        "window_log select",
                        "window_log insert",
                        "window_log update",
                        "window_log delete",
                        "process select",
                        "process insert",
                        "process update",
                        "process delete",
                        "open_window select",
                        "open_window insert",
                        "open_window update",
                        "open_window delete",
                        "replay select",
                        "replay update",
                        "audit insert",
                        "discarded select",
                        "discarded delete",
                        "identity select",
                        "xid_offset select",
                        "cluster select",
                        "cluster insert",
                        "environment select",
                        "environment insert",
                        "function own_xids");
    }

    @Test
    void a_viewer_reads_neither_payloads_nor_headers_nor_keys() throws SQLException {
        assertThat(privilegesOf(VIEWER))
                .containsExactlyInAnyOrder(
                        "schema usage",
                        "event.xid select",
                        "event.seq select",
                        "event.id select",
                        "event.type select",
                        "event.version select",
                        "event.aggregate_type select",
                        "event.aggregate_version select",
                        "event.topic select",
                        "event.content_type select",
                        "event.created_at select",
                        "relay select",
                        "lease select",
                        "dropped select",
                        "parked select",
                        "window_log select",
                        "process select",
                        "open_window select",
                        "replay select",
                        "discarded select",
                        "audit select",
                        "identity select",
                        "xid_offset select",
                        "cluster select",
                        "environment select",
                        "schema_version select",
                        "event_seq_seq select",
                        "function payload_length",
                        "function replay_means",
                        "function own_xids",
                        "function note_denial");
    }

    @Test
    void an_operator_writes_nothing_but_through_functions() throws SQLException {
        List<String> more = new ArrayList<>(privilegesOf(OPERATOR));
        more.removeAll(privilegesOf(VIEWER));
        assertThat(more)
                .containsExactlyInAnyOrder(
                        "event.key select",
                        "event.aggregate_id select",
                        "function note_act",
                        "function requeue",
                        "function discard",
                        "function set_paused",
                        "function drop_relay",
                        "function restore_relay",
                        "function start_replay",
                        "function set_replay_total",
                        "function cancel_replay",
                        "function end_cancelled_replay");
    }

    @Test
    void a_revealer_may_read_payloads_and_nothing_else() throws SQLException {
        assertThat(privilegesOf(REVEALER))
                .containsExactlyInAnyOrder("schema usage", "function ask_payload", "function payload");
    }

    @Test
    void privileges_that_an_earlier_version_granted_are_revoked() throws SQLException {
        List<String> before = privilegesOf(OPERATOR);
        database.execute("grant select on waybill.event to %1$s; grant insert on waybill.audit to %1$s;"
                .formatted(SqlIdentifier.quote(OPERATOR)));
        grantAll();
        assertThat(privilegesOf(OPERATOR)).isEqualTo(before);
    }

    @Test
    void granting_again_changes_nothing() throws SQLException {
        List<String> before = privilegesOf(OPERATOR);
        grantAll();
        assertThat(privilegesOf(OPERATOR)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "none"})
    void a_name_that_the_server_does_not_accept_as_a_role_is_refused(String name) {
        assertThatThrownBy(() -> JournalSchema.grants(DatabaseRoles.NONE.producer(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }
}
