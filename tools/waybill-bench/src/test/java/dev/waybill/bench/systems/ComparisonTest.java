package dev.waybill.bench.systems;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Measured;
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
                1);
    }

    @Test
    void a_system_that_fails_is_left_out_with_its_reason_and_the_others_are_measured() throws Exception {
        List<String> progress = new ArrayList<>();
        List<String> names = List.of("does-not-start", "fails", "works");
        try (Comparison comparison = new Comparison(
                new Stage("jdbc:postgresql://127.0.0.1:1/none", "127.0.0.1:1", 1, folder),
                1,
                names.stream().map(ComparisonTest::system).toList(),
                progress::add)) {
            List<Append> appends = comparison.append(names, Duration.ofMillis(20), 1);

            assertThat(appends).extracting(Append::system).containsExactly("works");
            assertThat(appends.get(0).rate()).isPositive();
            assertThat(comparison.systems()).anySatisfy(system -> {
                assertThat(system.name()).isEqualTo("does-not-start");
                assertThat(system.missing()).contains("no such driver");
            });
            assertThat(comparison.systems()).anySatisfy(system -> {
                assertThat(system.name()).isEqualTo("fails");
                assertThat(system.missing()).contains("out of order");
            });
            assertThat(comparison.systems()).contains(new Measured("works", "1.0", "settings of works", null));
        }
        assertThat(progress).anyMatch(line -> line.startsWith("fails is not measured: "));
    }
}
