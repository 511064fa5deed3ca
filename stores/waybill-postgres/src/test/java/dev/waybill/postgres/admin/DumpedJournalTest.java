package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.admin.Actor;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.testkit.OlderPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal moved by pg_dump and psql between two new clusters, so that their xids overlap. */
@Tag("full")
class DumpedJournalTest {
    private static final Actor ANNA = new Actor("anna", "moved to the new cluster");
    private static final Path TOOLS = Path.of("/usr/lib/postgresql/15/bin");
    private static final int VERSION = 15;

    @TempDir
    private Path directory;

    private PostgresServer oldServer;
    private PostgresServer newServer;
    private JournalDatabase old;

    @BeforeEach
    void startBoth() {
        assumeTrue(Files.isExecutable(TOOLS.resolve("pg_dump")), "pg_dump " + VERSION + " is not installed");
        oldServer = OlderPostgres.start(VERSION);
        newServer = OlderPostgres.start(VERSION);
        old = JournalDatabase.create(oldServer);
    }

    @AfterEach
    void stopBoth() {
        if (oldServer != null) {
            oldServer.close();
            newServer.close();
        }
    }

    @Test
    void data_restored_into_an_existing_schema_continues_after_adopting() throws Exception {
        append(old, names(1, 30));
        assertThat(drain(old)).hasSize(30);
        append(old, "a31");
        JournalDatabase fresh = JournalDatabase.create(newServer);
        load(fresh, dump(old, "--data-only"));
        append(fresh, "a32");
        journal(fresh).adopt(ANNA);

        assertThat(drain(fresh)).containsExactly("a31", "a32");
    }

    @Test
    void data_restored_by_single_inserts_continues_after_adopting() throws Exception {
        append(old, names(1, 200));
        assertThat(drain(old)).hasSize(200);
        append(old, "a201");
        JournalDatabase fresh = JournalDatabase.create(newServer);
        load(fresh, dump(old, "--data-only", "--inserts", "--on-conflict-do-nothing"));
        append(fresh, "a202");
        journal(fresh).adopt(ANNA);

        assertThat(drain(fresh)).containsExactly("a201", "a202");
    }

    @Test
    void a_window_dumped_in_its_middle_keeps_the_order_of_a_key() throws Exception {
        try (RelaySession session = session(old)) {
            append(old, names(1, 60));
            JournalFixture.publish(
                    session, session.claim(new Limits(1, 100_000)).orElseThrow());
        }
        JournalDatabase fresh = JournalDatabase.create(newServer);
        fresh.execute("do $$ begin for i in 1..45 loop perform pg_current_xact_id(); commit; end loop; end $$");
        load(fresh, dump(old, "--data-only"));
        journal(fresh).adopt(ANNA);

        assertThat(drain(fresh)).containsExactly(names(2, 60));
    }

    @Test
    void a_whole_dump_of_single_inserts_continues_after_adopting() throws Exception {
        append(old, names(1, 200));
        assertThat(drain(old)).hasSize(200);
        append(old, "a201");
        JournalDatabase fresh = JournalDatabase.withoutJournal(newServer);
        load(fresh, dump(old, "--inserts"));
        append(fresh, "a202");
        journal(fresh).adopt(ANNA);

        assertThat(drain(fresh)).containsExactly("a201", "a202");
    }

    @Test
    void an_upgrade_after_adopting_needs_no_action() throws Exception {
        append(old, "a1");
        assertThat(drain(old)).containsExactly("a1");
        JournalDatabase fresh = JournalDatabase.withoutJournal(newServer);
        load(fresh, dump(old));
        append(fresh, names(2, 1_100));
        journal(fresh).adopt(ANNA);
        append(fresh, "a1101");
        assertThat(drain(fresh)).hasSize(1_100);
        append(fresh, "a1102");
        fresh.execute("update waybill.relay set system_id = '4711'; update waybill.cluster set system_id = '4711'");

        assertThat(drain(fresh)).containsExactly("a1102");
    }

    @Test
    void a_role_that_does_not_see_the_identifier_continues_after_the_owner_adopted() throws Exception {
        append(old, "a1");
        JournalDatabase fresh = JournalDatabase.withoutJournal(newServer);
        assertThat(drain(old)).containsExactly("a1");
        append(old, "a2");
        load(fresh, dump(old));
        fresh.execute("revoke execute on function pg_control_system() from public; create role hidden_from login;"
                + JournalSchema.grants(DatabaseRoles.NONE.relay("hidden_from")));
        journal(fresh).adopt(ANNA);

        PostgresJournal asRelay = PostgresJournal.on(fresh.dataSourceAs("hidden_from"), JournalOptions.defaults());
        try (RelaySession session = asRelay.open(JournalFixture.RELAY, JournalFixture.OWNER, JournalFixture.LEASE)
                .orElseThrow()) {
            assertThat(JournalFixture.drain(session)).containsExactly("a2");
        }
    }

    @Test
    void a_journal_that_replication_still_fills_is_neither_read_nor_adopted() throws Exception {
        append(old, "a1");
        JournalDatabase fresh = JournalDatabase.withoutJournal(newServer);
        load(fresh, dump(old));
        fresh.execute("create subscription s connection 'host=127.0.0.1 port=1 dbname=none' publication p"
                + " with (connect = false)");
        fresh.execute("insert into pg_subscription_rel (srsubid, srrelid, srsubstate)"
                + " select oid, 'waybill.event'::regclass, 'r' from pg_subscription");

        assertThatThrownBy(() -> session(fresh))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("logical replication");
        fresh.execute("update waybill.relay set system_id = '4711'; update waybill.xid_offset set value = 1");
        assertThatThrownBy(() -> journal(fresh).adopt(ANNA))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("logical replication", "Nothing was changed");
    }

    private static PostgresJournal journal(JournalDatabase database) {
        return PostgresJournal.on(database.dataSource(), JournalOptions.defaults());
    }

    private static RelaySession session(JournalDatabase database) {
        return journal(database)
                .open(JournalFixture.RELAY, JournalFixture.OWNER, JournalFixture.LEASE)
                .orElseThrow();
    }

    private static List<String> drain(JournalDatabase database) throws SQLException {
        try (RelaySession session = session(database)) {
            return JournalFixture.drain(session);
        }
    }

    private static String[] names(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "a" + i).toArray(String[]::new);
    }

    /** Each in a transaction of its own. */
    private static void append(JournalDatabase database, String... names) throws SQLException {
        try (Connection connection = database.begin()) {
            for (String name : names) {
                JournalFixture.append(connection, name);
                connection.commit();
            }
        }
    }

    private Path dump(JournalDatabase database, String... options) throws IOException, InterruptedException {
        Path file = directory.resolve("dump.sql");
        List<String> arguments = new ArrayList<>(List.of("-n", "waybill", "-f", file.toString()));
        arguments.addAll(List.of(options));
        assertThat(run("pg_dump", database, arguments)).isZero();
        return file;
    }

    /** Errors about existing rows, such as those of tables with one row, are ignored. */
    private static void load(JournalDatabase database, Path file) throws IOException, InterruptedException {
        assertThat(run("psql", database, List.of("-q", "-f", file.toString()))).isZero();
    }

    private static int run(String tool, JournalDatabase database, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                TOOLS.resolve(tool).toString(),
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(database.server().port()),
                "-U",
                "postgres",
                "-d",
                database.name()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
