package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.Comparison;
import dev.waybill.bench.systems.DrainPlan;
import dev.waybill.bench.systems.Peer;
import dev.waybill.bench.systems.Rounds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That each peer drains a small backlog; never how fast. Their modules are packaged before. */
@Tag("full")
class PeersTest {
    private static final int EVENTS = 100_000;

    @Test
    void every_peer_drains_its_share_of_a_backlog(@TempDir Path folder) throws Exception {
        List<String> peers =
                Arrays.stream(Peer.values()).map(peer -> peer.label).toList();
        try (Servers servers = Servers.start();
                Comparison comparison = Lineup.open(BenchStage.prepare(servers, folder), "256m", "this")) {
            List<Drain> drains = comparison.drain(peers, DrainPlan.of(EVENTS), Rounds.ONCE);

            assertThat(comparison.missing()).isEmpty();
            assertThat(drains).extracting(Drain::system).containsExactlyElementsOf(peers);
        }
    }
}
