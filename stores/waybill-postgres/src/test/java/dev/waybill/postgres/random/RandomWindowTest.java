package dev.waybill.postgres.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.random.Load;
import dev.waybill.testkit.random.StoreReader;
import dev.waybill.testkit.random.WindowRun;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RandomWindowTest {
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
        return Seeds.all();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void every_committed_event_is_in_exactly_one_window_and_in_order_per_key(long seed) throws Exception {
        Load load = Load.heavy(seed, new JournalTarget());
        System.out.println(load.repeat() + ": writing");

        WindowRun run =
                WindowRun.of(server, load, (source, random) -> new StoreReader(PostgresJournal.on(source), random));

        System.out.println(
                load.repeat() + ": " + run.verdict().summary() + ", up to " + run.mostOpen() + " transactions open");
        assertThat(run.verdict().exactlyOnceInOrder())
                .as("%s: %s", load.repeat(), run.verdict())
                .isTrue();
        assertThat(run.mostOpen()).as(load.repeat()).isGreaterThan(64);
    }
}
