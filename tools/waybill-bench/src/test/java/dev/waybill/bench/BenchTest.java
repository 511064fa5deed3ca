package dev.waybill.bench;

import static dev.waybill.bench.BenchProcess.bench;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** That it runs and prints what others read; never how fast. */
class BenchTest {
    @Test
    @Tag("full")
    void a_comparison_prints_ratios_and_leaves_results_behind(@TempDir Path folder) throws Exception {
        List<String> lines = bench(
                "--quick",
                "--parts",
                "drain,append",
                "--systems",
                "bare pipe;overlapped pipe;journal;table, rows deleted;smallest insert",
                "--events",
                "3000",
                "--results",
                folder.toString());

        assertThat(lines).anyMatch(line -> line.matches("ratio-to-overlapped-pipe: \\d+\\.\\d\\d+"));
        assertThat(lines).anyMatch(line -> line.matches("table-deleting-ratio-to-pipe: \\d+\\.\\d\\d+"));
        assertThat(lines).anyMatch(line -> line.matches("append-ratio: \\d+\\.\\d\\d+"));
        assertThat(folder).isDirectoryContaining("glob:**results.json");
        assertThat(folder).isDirectoryContaining("glob:**cost.svg");
    }

    @Test
    void a_system_that_does_not_exist_is_refused_with_those_that_do() {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(new CommandLine(new Bench()).execute("--systems", "Journal"))
                    .isEqualTo(CommandLine.ExitCode.USAGE);
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("no Journal")
                .contains(Lineup.all());
    }

    @Test
    void the_quantiles_of_latencies_are_those_of_the_sorted_times() {
        Latencies latencies = new Latencies(new long[] {5_000_000, 1_000_000, 3_000_000, 2_000_000});
        assertThat(latencies.millis(0.5)).isEqualTo(2.0);
        assertThat(latencies.millis(0.99)).isEqualTo(5.0);
        assertThat(latencies.millis(1)).isEqualTo(5.0);
    }
}
