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
        assertThat(refused("--systems", "Journal")).contains("no Journal").contains(Lineup.all());
    }

    @Test
    void what_would_be_ignored_is_refused() {
        assertThat(refused("--parts", "distance", "--events", "1000")).contains("--events is for the part drain");
        assertThat(refused("--parts", "latency,distance", "--rounds", "2")).contains("--rounds is for");
        assertThat(refused("--parts", "growth", "--systems", "Debezium Engine"))
                .contains("no part that is measured has Debezium Engine");
        assertThat(refused("--events", "7", "inbox")).contains("--events must come after inbox");
        assertThat(refused("--systems", ";")).contains("--systems is empty");
    }

    @Test
    void what_cannot_be_measured_is_refused() {
        assertThat(refused("--rounds", String.valueOf(Integer.MAX_VALUE))).contains("--rounds between 1 and 1000");
        assertThat(refused("--heap", "plenty")).contains("not plenty");
        assertThat(refused("--results", "/dev/null")).contains("cannot be written to /dev/null");
        assertThat(refused("drain", "--events", "0")).contains("must be 1 or more");
    }

    /** @return what is printed */
    private static String refused(String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(Bench.commandLine().execute(arguments)).isEqualTo(CommandLine.ExitCode.USAGE);
        } finally {
            System.setErr(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void the_quantiles_of_latencies_are_those_of_the_sorted_times() {
        Latencies latencies = new Latencies(new long[] {5_000_000, 1_000_000, 3_000_000, 2_000_000});
        assertThat(latencies.millis(0.5)).isEqualTo(2.0);
        assertThat(latencies.millis(0.99)).isEqualTo(5.0);
        assertThat(latencies.millis(1)).isEqualTo(5.0);
    }
}
