package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.RabbitServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That it runs and prints what others read; never how fast. */
class BenchTest {
    /** For the bench and the processes that it starts: they measure for seconds, and nobody looks at the numbers. */
    private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
            + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote";

    @Test
    void drain_prints_medians_and_the_two_ratios_on_lines_of_their_own() throws Exception {
        List<String> lines = bench("drain", "--events", "3000", "--rounds", "1");

        assertThat(lines).anyMatch(line -> line.matches("ratio-to-pipe: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-to-raw: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-to-overlapped-pipe: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("cpu-ratio: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches(" *journal +[0-9,]+/s .*"));
    }

    @Test
    void a_comparison_prints_ratios_and_leaves_results_behind(@TempDir Path folder) throws Exception {
        List<String> lines = bench(
                "--quick",
                "--parts",
                "drain,append",
                "--systems",
                "overlapped pipe;journal;smallest insert",
                "--events",
                "3000",
                "--results",
                folder.toString());

        assertThat(lines).anyMatch(line -> line.matches("ratio-to-overlapped-pipe: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("append-ratio: \\d+\\.\\d\\d"));
        assertThat(folder).isDirectoryContaining("glob:**results.json");
        assertThat(folder).isDirectoryContaining("glob:**cost.svg");
    }

    @Tag("full")
    @Test
    void drain_with_metrics_and_tracing_tells_what_they_cost() throws Exception {
        List<String> lines = bench("drain", "--with", "metrics,tracing", "--events", "3000", "--rounds", "1");

        assertThat(lines).anyMatch(line -> line.matches(" *with metrics, tracing +[0-9,]+/s .*"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-with-metrics-tracing: \\d+\\.\\d\\d"));
    }

    @Tag("full")
    @Test
    void drain_with_an_open_console_tells_what_it_costs() throws Exception {
        List<String> lines = bench("drain", "--with", "console", "--events", "3000", "--rounds", "1");

        assertThat(lines).anyMatch(line -> line.matches(" *with console +[0-9,]+/s .*"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-with-console: \\d+\\.\\d\\d"));
    }

    @Tag("full")
    @Test
    void drain_to_rabbitmq_prints_its_settings_and_the_ratio_on_a_line_of_its_own() throws Exception {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed: ./install-servers installs it as root");
        List<String> lines = bench("drain", "--destination", "rabbitmq", "--events", "3000", "--rounds", "1");

        assertThat(lines).anyMatch(line -> line.startsWith("drain to RabbitMQ: 3,000 events"));
        assertThat(lines).anyMatch(line -> line.matches(" *raw publisher +[0-9,]+/s .*"));
        assertThat(lines).anyMatch(line -> line.matches(" *journal +[0-9,]+/s .*"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-to-raw: \\d+\\.\\d\\d"));
    }

    @Tag("full")
    @Test
    void drain_of_a_table_tells_also_what_an_open_transaction_costs() throws Exception {
        List<String> lines =
                bench("drain", "--store", "table", "--open-transaction", "--events", "3000", "--rounds", "1");

        assertThat(lines).anyMatch(line -> line.matches("ratio-to-pipe: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("table-ratio-to-pipe: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-with-open-transaction: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches(" *table +[0-9,]+/s .*"));
    }

    @Test
    void the_quantiles_of_latencies_are_those_of_the_sorted_times() {
        Latencies latencies = new Latencies(new long[] {5_000_000, 1_000_000, 3_000_000, 2_000_000});
        assertThat(latencies.millis(0.5)).isEqualTo(2.0);
        assertThat(latencies.millis(0.99)).isEqualTo(5.0);
        assertThat(latencies.millis(1)).isEqualTo(5.0);
    }

    static List<String> bench(String... arguments) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                Bench.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        if (!Boolean.getBoolean("waybill.full")) {
            builder.environment().put("JDK_JAVA_OPTIONS", QUICK_START);
        }
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output.lines().toList();
        } finally {
            process.destroy();
        }
    }
}
