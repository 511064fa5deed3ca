package dev.waybill.bench.systems;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Measured;
import dev.waybill.bench.results.Results.Missing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run does with systems that fail. No servers are needed for that. */
class ComparisonTest {
    @TempDir
    Path folder;

    private static SystemSpec system(String behaviour) {
        return new SystemSpec(
                behaviour,
                "1.0",
                List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TrivialSystem.class.getName(),
                        behaviour),
                false,
                1);
    }

    @Test
    void a_system_that_fails_is_left_out_with_its_reason_and_the_others_are_measured() throws Exception {
        List<String> progress = new ArrayList<>();
        List<String> names = List.of("does-not-start", "fails", "works");
        try (Comparison comparison = new Comparison(
                new Stage("jdbc:postgresql://127.0.0.1:1/none", "127.0.0.1:1", 1, () -> 0, 1, folder),
                1,
                names.stream().map(ComparisonTest::system).toList(),
                progress::add)) {
            comparison.begin("append");
            List<Append> appends = comparison.append(names, Duration.ofMillis(20), Rounds.ONCE);

            assertThat(appends).extracting(Append::system).containsExactly("works");
            assertThat(appends.get(0).rate()).isPositive();
            assertThat(comparison.missing())
                    .hasSize(2)
                    .allSatisfy(missing -> assertThat(missing.part()).isEqualTo("append"));
            assertThat(comparison.missing().get(0).reason())
                    .contains("no such driver")
                    .doesNotContain(folder.toString());
            assertThat(comparison.missing().get(1).reason())
                    .contains("out of order")
                    .doesNotContain(folder.toString());
            assertThat(comparison.systems()).contains(new Measured("works", "1.0", "settings of works"));
        }
        assertThat(progress)
                .anyMatch(line -> line.startsWith("fails is not measured: "))
                .contains("The log of fails is " + folder.resolve("fails.log"));
    }

    @Test
    void a_system_that_failed_in_one_part_is_tried_again_in_the_next() throws Exception {
        try (Comparison comparison = new Comparison(
                new Stage("jdbc:postgresql://127.0.0.1:1/none", "127.0.0.1:1", 1, () -> 0, 1, folder),
                1,
                List.of(system("fails-once")),
                line -> {})) {
            comparison.begin("append");
            assertThat(comparison.append(List.of("fails-once"), Duration.ofMillis(20), Rounds.ONCE))
                    .isEmpty();
            comparison.begin("latency");
            assertThat(comparison.append(List.of("fails-once"), Duration.ofMillis(20), Rounds.ONCE))
                    .hasSize(1);
        }
    }

    @Test
    void a_system_that_fails_while_it_warms_up_is_left_out() throws Exception {
        try (Comparison comparison = new Comparison(
                new Stage("jdbc:postgresql://127.0.0.1:1/none", "127.0.0.1:1", 1, () -> 0, 1, folder),
                1,
                List.of(system("fails")),
                line -> {})) {
            comparison.begin("distance");
            comparison.warmUp(List.of("fails"), DrainPlan.of(10), Duration.ofHours(1));
            assertThat(comparison.missing()).hasSize(1);
            assertThat(comparison.missing().get(0).reason()).contains("out of order");
        }
    }

    @Test
    void a_system_that_is_not_built_is_missing_only_where_it_was_to_be_measured() throws Exception {
        try (Comparison comparison = new Comparison(
                new Stage("jdbc:postgresql://127.0.0.1:1/none", "127.0.0.1:1", 1, () -> 0, 1, folder),
                1,
                List.of(),
                line -> {})) {
            comparison.absent("gruelbox", "it is not built");
            comparison.begin("drain");
            assertThat(comparison.missing()).isEmpty();
            comparison.begin("append");
            comparison.append(List.of("gruelbox"), Duration.ofMillis(20), new Rounds(1, 2));
            assertThat(comparison.missing()).containsExactly(new Missing("append", "gruelbox", "it is not built"));
        }
    }
}
