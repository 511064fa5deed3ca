package dev.waybill.postgres.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.tck.Seeds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The 32 bits of a row's xid begin anew while transactions are open and prepared. The relay loses no event, repeats none, and
 * keeps the order of each key.
 */
@Tag("full")
@Timeout(300)
class WraparoundTest {
    private static final int VERSION = 15;
    private static final long BOUNDARY = 1L << 32;
    private static final long BEFORE = 400;
    private static final long AFTER = 800;
    private static final int KEYS = 20;

    private final Map<String, List<String>> committed = new HashMap<>();
    private final Map<String, List<String>> published = new HashMap<>();
    private final Deque<Writer> open = new ArrayDeque<>();
    private final List<String> free = new ArrayList<>();
    private int events;

    /** A transaction with one event. */
    private record Writer(Connection connection, String gid, boolean prepared, String key, String name) {}

    @Test
    void events_appended_before_across_and_after_the_boundary_come_once_and_in_order() throws SQLException {
        assumeTrue(PostgresServer.isInstalled(VERSION), "PostgreSQL " + VERSION + " is not installed");
        Random random = new Random(Seeds.one());
        for (char key = 'a'; key < 'a' + KEYS; key++) {
            free.add(String.valueOf(key));
        }
        try (PostgresServer server = PostgresServer.startInstalled(VERSION, Map.of("autovacuum", "off"))) {
            JournalDatabase database = JournalDatabase.create(server);
            run(database, random, 50);
            finishAll(database);
            drain(database, random);
            for (String name : List.of("postgres", "template1", database.name())) {
                try (Connection connection = server.dataSource(name).getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("vacuum freeze");
                }
            }
            server.restartAtXid(BOUNDARY - BEFORE);
            for (long xid = 0; xid < BOUNDARY + AFTER; xid = nextXid(database)) {
                run(database, random, 10);
            }
            assertThat(database.number("select count(*) from waybill.event where xid::text::bigint < " + BOUNDARY))
                    .isPositive();
            finishAll(database);
            drain(database, random);
        }

        assertThat(committed.values().stream().mapToInt(List::size).sum()).isGreaterThan(200);
        assertThat(published).isEqualTo(committed);
    }

    private static long nextXid(JournalDatabase database) throws SQLException {
        return database.number("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    /** The prepared transactions and the open ones are finished in any order, so that many of them cross the boundary. */
    private void run(JournalDatabase database, Random random, int steps) throws SQLException {
        for (int step = 0; step < steps; step++) {
            switch (random.nextInt(5)) {
                case 0, 1 -> begin(database, random);
                case 2, 3 -> {
                    if (open.size() > 10) {
                        finish(database, random.nextInt(4) > 0);
                    }
                }
                default -> drain(database, random);
            }
        }
    }

    private void begin(JournalDatabase database, Random random) throws SQLException {
        if (free.isEmpty()) {
            return;
        }
        String key = free.remove(random.nextInt(free.size()));
        String name = key + ++events;
        Connection connection = database.begin();
        JournalFixture.append(connection, name);
        boolean prepared = random.nextBoolean();
        if (prepared) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("prepare transaction '" + name + "'");
            }
            connection.close();
        }
        open.add(new Writer(connection, name, prepared, key, name));
    }

    private void finish(JournalDatabase database, boolean commit) throws SQLException {
        Writer writer = open.remove();
        if (writer.prepared()) {
            database.execute((commit ? "commit" : "rollback") + " prepared '" + writer.gid() + "'");
        } else if (commit) {
            writer.connection().commit();
        } else {
            writer.connection().rollback();
        }
        writer.connection().close();
        if (commit) {
            committed.computeIfAbsent(writer.key(), key -> new ArrayList<>()).add(writer.name());
        }
        free.add(writer.key());
    }

    private void finishAll(JournalDatabase database) throws SQLException {
        while (!open.isEmpty()) {
            finish(database, true);
        }
    }

    private void drain(JournalDatabase database, Random random) {
        PostgresJournal journal = PostgresJournal.on(database.dataSource());
        try (RelaySession session = journal.open(JournalFixture.RELAY, JournalFixture.OWNER, JournalFixture.LEASE)
                .orElseThrow()) {
            for (String name : JournalFixture.drain(session, new Limits(1 + random.nextInt(5), 1_000_000))) {
                published
                        .computeIfAbsent(name.substring(0, 1), key -> new ArrayList<>())
                        .add(name);
            }
        }
    }
}
