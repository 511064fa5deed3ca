package dev.waybill.table.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.table.TableStore;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.random.Load;
import dev.waybill.testkit.random.StoreReader;
import dev.waybill.testkit.random.Verdict;
import dev.waybill.testkit.random.WindowRun;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Outbox tables with writers that commit late, roll back, or stay open. */
class RandomTableTest {
    private static final int ATTEMPTS = 10;
    /** A new session starts at the beginning, which would hide rows that an old one overlooked. */
    private static final int READS = 10_000;

    /** Longer than the reader looks back for short transactions. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(6);

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(Map.of("deadlock_timeout", "20ms"));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    static LongStream seeds() {
        return Seeds.all().limit(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void every_row_of_a_table_with_a_sequence_comes_once_and_in_order_per_key(long seed) throws Exception {
        requireExactlyOnceInOrder(Load.heavy(seed, TableTarget.NUMBERED).lasting(LONG_ENOUGH), TableTarget.NUMBERED);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void every_row_ordered_by_the_time_of_its_append_comes_once_and_in_order_per_key(long seed) throws Exception {
        requireExactlyOnceInOrder(Load.heavy(seed, TableTarget.DATED).lasting(LONG_ENOUGH), TableTarget.DATED);
    }

    private static void requireExactlyOnceInOrder(Load load, TableTarget target) throws Exception {
        WindowRun run = WindowRun.of(
                server,
                load,
                (source, random) -> new StoreReader(TableStore.on(source, target.layout()), random, READS));

        System.out.println(
                load.repeat() + ": " + run.verdict().summary() + ", up to " + run.mostOpen() + " transactions open");
        assertThat(run.verdict().exactlyOnceInOrder())
                .as("%s: %s", load.repeat(), run.verdict())
                .isTrue();
        assertThat(run.mostOpen()).as(load.repeat()).isGreaterThan(64);
    }

    @Test
    void a_reader_that_does_not_look_back_is_caught() throws Exception {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Load load = Load.heavy(Seeds.one(), TableTarget.NUMBERED).lasting(Duration.ofSeconds(1));
            Verdict verdict = WindowRun.of(server, load, (source, random) -> new PositionOnlyReader(source))
                    .verdict();
            System.out.println(load.repeat() + ": " + verdict.summary());
            if (!verdict.lost().isEmpty()) {
                return;
            }
        }
        throw new AssertionError("A broken reader came through " + ATTEMPTS + " runs: the test proves nothing.");
    }
}
