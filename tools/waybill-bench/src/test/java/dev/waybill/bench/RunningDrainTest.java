package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.kit.Shape;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.Comparison;
import dev.waybill.bench.systems.DrainPlan;
import dev.waybill.bench.systems.Rounds;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class RunningDrainTest {
    private static final int EVENTS = 3_000;

    @Test
    void only_the_events_that_are_added_while_a_system_is_paused_are_measured(@TempDir Path folder) throws Exception {
        List<String> systems = Lineup.labels(OwnSystem.OVERLAPPED, OwnSystem.JOURNAL, OwnSystem.TABLE);
        DrainPlan plan = DrainPlan.of(EVENTS).shape(Shape.USUAL).running(2 * EVENTS);
        try (Servers servers = Servers.start();
                Comparison comparison = Lineup.open(BenchStage.prepare(servers, folder), "256m", "this")) {
            List<Drain> drains = comparison.drain(systems, plan, Rounds.ONCE);

            assertThat(drains).extracting(Drain::system).containsExactlyElementsOf(systems);
            assertThat(drains).extracting(Drain::events).containsExactly(3_000L, 3_000L, 1_000L);
        }
    }
}
