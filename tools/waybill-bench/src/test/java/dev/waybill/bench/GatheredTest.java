package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.BenchmarksPage;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Missing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatheredTest {
    private static final Drain DRAIN = new Drain("journal", 1, List.of(1.0), 1, 1, 1, 1, null, 1, null);

    private static Results earlier() {
        Gathered gathered = new Gathered();
        gathered.begin(Part.drain, "the first run");
        gathered.begin(Part.growth, "the first run");
        gathered.command("./waybill bench --parts drain,growth");
        gathered.settings(Map.of("drain", "of the first run"));
        gathered.drains.add(DRAIN);
        gathered.appends.add(new Append("journal", List.of(2.0)));
        gathered.vary(Part.growth, "keys", "1", List.of(DRAIN));
        gathered.vary(Part.distance, "link", "direct", List.of(DRAIN));
        gathered.missing(List.of(new Missing("drain", "gruelbox", "why"), new Missing("growth", "table", "why")));
        return gathered.results("2026-11-17T10:00:00Z");
    }

    @Test
    void a_part_that_is_measured_again_replaces_its_own_results_only() {
        Gathered gathered = new Gathered(earlier());
        gathered.begin(Part.growth, "the second run");

        Results results = gathered.results("2026-11-17T11:00:00Z");
        assertThat(results.variations("growth", "keys")).isEmpty();
        assertThat(results.variations("distance", "link")).hasSize(1);
        assertThat(results.drains()).containsExactly(DRAIN);
        assertThat(results.appends()).hasSize(1);
        assertThat(results.missing()).containsExactly(new Missing("drain", "gruelbox", "why"));
    }

    @Test
    void each_part_has_the_run_in_which_it_was_measured() {
        assertThat(earlier().isOfOneRun()).isTrue();
        Gathered gathered = new Gathered(earlier());
        gathered.begin(Part.growth, "the second run");

        Results results = gathered.results("2026-11-17T11:00:00Z");
        assertThat(results.parts()).isEqualTo(Map.of("drain", "the first run", "growth", "the second run"));
        assertThat(results.isOfOneRun()).isFalse();
        assertThat(BenchmarksPage.of(results, "benchmarks")).contains("- growth: the second run\n");
    }

    @Test
    void settings_and_commands_of_earlier_runs_stay() {
        Gathered gathered = new Gathered(earlier());
        gathered.command("./waybill bench --parts append");
        gathered.settings(Map.of("append", "of the second run"));

        Results results = gathered.results("2026-11-17T11:00:00Z");
        assertThat(results.command()).isEqualTo("./waybill bench --parts drain,growth; ./waybill bench --parts append");
        assertThat(results.settings())
                .containsEntry("drain", "of the first run")
                .containsEntry("append", "of the second run");
    }
}
