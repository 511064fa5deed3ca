package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.RelaySession;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.PGConnection;

/**
 * The fixture's journal is in a new cluster with low xids; the old cluster has assigned many more. Rows dumped there and restored
 * here keep their xids, which are not valid here.
 */
abstract class RestoredJournalFixture extends JournalFixture {
    static final RelayName OTHER_RELAY = new RelayName("other-relay");
    static final Actor ANNA = new Actor("anna", "moved to the new cluster");
    private static final List<String> TABLES = List.of(
            "relay", "lease", "replay", "event", "parked", "window_log", "audit", "identity", "cluster", "xid_offset");

    final JournalDatabase old = JournalDatabase.create();

    RestoredJournalFixture() {
        super(JournalDatabase.create(PostgresServer.start()));
    }

    @AfterAll
    void stopTheNewCluster() {
        database.server().close();
    }

    @BeforeEach
    void assignManyXids() throws SQLException {
        database.execute("alter table waybill.event alter column xid set default pg_current_xact_id()");
        old.empty();
        old.execute("""
                do $$ begin
                    for i in 1..5000 loop perform pg_current_xact_id(); commit; end loop;
                end $$""");
    }

    final RelaySession openOnOld() {
        return PostgresJournal.on(old.dataSource(), options())
                .open(RELAY, OWNER, LEASE)
                .orElseThrow();
    }

    final void publishOnOld(String... names) throws SQLException {
        appendTo(old, names);
        try (RelaySession session = openOnOld()) {
            assertThat(drain(session)).containsExactly(names);
        }
    }

    static void appendTo(JournalDatabase database, String... names) throws SQLException {
        try (Connection connection = database.begin()) {
            append(connection, names);
            connection.commit();
        }
    }

    /** Copies all tables, like a dump and its restore. */
    final void restore() throws Exception {
        database.execute("delete from waybill.identity; delete from waybill.cluster; delete from waybill.xid_offset");
        try (Connection from = old.connect();
                Connection to = database.connect()) {
            for (String table : TABLES) {
                StringWriter rows = new StringWriter();
                from.unwrap(PGConnection.class).getCopyAPI().copyOut("copy waybill." + table + " to stdout", rows);
                to.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("copy waybill." + table + " from stdin", new StringReader(rows.toString()));
            }
        }
        database.execute("select setval('waybill.event_seq_seq', "
                + old.number("select last_value from waybill.event_seq_seq") + ")");
        database.execute("select setval('waybill.epoch', " + old.number("select last_value from waybill.epoch") + ")");
    }

    static void appendInSavepoint(Connection connection, String... names) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
        Savepoint savepoint = connection.setSavepoint();
        append(connection, names);
        connection.releaseSavepoint(savepoint);
    }

    /** Foreign positions, rows written by one transaction, and another identity. */
    final void simulateRestore() throws SQLException {
        database.execute("""
                delete from waybill.cluster;
                update waybill.relay set system_id = '4711';
                update waybill.identity set id = gen_random_uuid();
                update waybill.schema_version set name = name;
                update waybill.event set type = type""");
    }

    final void simulateUpgrade() throws SQLException {
        database.execute("update waybill.relay set system_id = '4711'; update waybill.cluster set system_id = '4711'");
    }

    /** Location and xmin of rows, which change when they are rewritten. */
    final List<String> rowsOf(String... names) throws SQLException {
        return database.texts("select type || ' ' || ctid || ' ' || xmin from waybill.event where type in ('"
                + String.join("', '", names) + "') order by seq");
    }

    static String systemId(JournalDatabase database) throws SQLException {
        return database.texts("select system_identifier::text from pg_control_system()")
                .get(0);
    }
}
