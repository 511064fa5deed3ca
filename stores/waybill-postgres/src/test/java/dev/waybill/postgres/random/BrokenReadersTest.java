package dev.waybill.postgres.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.random.Load;
import dev.waybill.testkit.random.Reader;
import dev.waybill.testkit.random.Verdict;
import dev.waybill.testkit.random.WindowRun;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Proves that the randomised test can fail: it detects each reader that is known to be broken. */
class BrokenReadersTest {
    private static final int ATTEMPTS = 10;
    private static PostgresServer server;

    /** Without autovacuum, whose transactions would delay the reader by xid. */
    @BeforeAll
    static void start() {
        server = PostgresServer.start(Map.of("deadlock_timeout", "20ms", "autovacuum", "off"));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void a_seq_cursor_loses_events() throws Exception {
        Verdict verdict = firstCaught(
                (source, random) -> new SeqCursorReader(source), v -> !v.lost().isEmpty());

        assertThat(verdict.exactlyOnceInOrder()).isFalse();
    }

    @Test
    void reading_by_xid_below_xmin_reverses_the_order_of_a_key() throws Exception {
        Verdict verdict = firstCaught(
                (source, random) -> new XidOrderReader(source),
                v -> !v.inversions().isEmpty());

        assertThat(verdict.exactlyOnceInOrder()).isFalse();
        assertThat(verdict.lost()).isEmpty();
    }

    @Test
    void two_snapshots_without_late_transactions_lose_events() throws Exception {
        Verdict verdict = firstCaught(
                (source, random) -> new TwoSnapshotReader.WithoutLateTransactions(source),
                v -> !v.lost().isEmpty());

        assertThat(verdict.exactlyOnceInOrder()).isFalse();
    }

    @Test
    void the_correct_reader_passes() throws Exception {
        Load load = load();
        Verdict verdict = WindowRun.of(server, load, (source, random) -> new TwoSnapshotReader(source))
                .verdict();

        assertThat(verdict.exactlyOnceInOrder())
                .as("%s: %s", load.repeat(), verdict)
                .isTrue();
    }

    private static Verdict firstCaught(Reader.Maker maker, Predicate<Verdict> caught)
            throws SQLException, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Load load = load();
            Verdict verdict = WindowRun.of(server, load, maker).verdict();
            System.out.println(load.repeat() + ": " + verdict.summary());
            if (caught.test(verdict)) {
                return verdict;
            }
        }
        throw new AssertionError("A broken reader passed " + ATTEMPTS + " runs: the test proves nothing.");
    }

    private static Load load() {
        return Load.heavy(Seeds.one(), new JournalTarget()).lasting(Duration.ofSeconds(1));
    }
}
