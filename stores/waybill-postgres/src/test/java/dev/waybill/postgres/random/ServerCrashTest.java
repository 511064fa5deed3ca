package dev.waybill.postgres.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.random.CrashRun;
import dev.waybill.testkit.random.Load;
import dev.waybill.testkit.random.Reader;
import dev.waybill.testkit.random.StoreReader;
import dev.waybill.testkit.random.Verdict;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ServerCrashTest {
    private static final int ATTEMPTS = 10;
    private static PostgresServer server;

    /** Only commits write the WAL, so a crash certainly loses what none of them flushed. */
    @BeforeAll
    static void start() {
        server = PostgresServer.start(Map.of(
                "deadlock_timeout", "20ms",
                "wal_writer_delay", "10s",
                "wal_writer_flush_after", "100MB",
                "wal_buffers", "16MB"));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void the_journal_skips_nothing() throws Exception {
        assertThatNothingIsSkipped(5, ServerCrashTest::journal);
    }

    @Test
    @Tag("full")
    void the_journal_skips_nothing_in_many_crashes() throws Exception {
        assertThatNothingIsSkipped(60, ServerCrashTest::journal);
    }

    /** The control for the next test: the same reader, without state that survives a crash. */
    @Test
    void a_reader_that_starts_over_skips_nothing() throws Exception {
        assertThatNothingIsSkipped(3, (source, random) -> new TwoSnapshotReader(source));
    }

    @Test
    void a_reader_that_keeps_its_memory_across_a_crash_is_caught() throws Exception {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Verdict verdict = run(load(), 3, (source, random) -> new TwoSnapshotReader.WithMemoryAcrossCrashes(source));
            if (!verdict.lost().isEmpty()) {
                assertThat(verdict.nothingSkipped()).isFalse();
                assertThat(verdict.broken()).isEmpty();
                return;
            }
        }
        throw new AssertionError("A broken reader passed " + ATTEMPTS + " runs: the test proves nothing.");
    }

    private static Reader journal(DataSource source, Random random) {
        return new StoreReader(PostgresJournal.on(source), random);
    }

    private static void assertThatNothingIsSkipped(int crashes, Reader.Maker maker) throws Exception {
        Load load = load();
        Verdict verdict = run(load, crashes, maker);

        assertThat(verdict.nothingSkipped())
                .as("%s: %s", load.repeat(), verdict)
                .isTrue();
    }

    private static Verdict run(Load load, int crashes, Reader.Maker maker) throws Exception {
        Verdict verdict = CrashRun.of(server, load, crashes, maker);
        System.out.println(load.repeat() + ": " + crashes + " crashes, " + verdict.summary());
        return verdict;
    }

    private static Load load() {
        return new Load(Seeds.one(), Duration.ofMillis(400), 12, 16, 24, 40, new JournalTarget());
    }
}
