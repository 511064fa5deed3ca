package dev.waybill.bench.drain;

import static dev.waybill.bench.BenchProcess.bench;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.RabbitServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That it runs and prints what others read; never how fast. */
class DrainCommandTest {
    @Tag("full")
    @Test
    void drain_prints_medians_and_the_two_ratios_on_lines_of_their_own() throws Exception {
        List<String> lines = bench("drain", "--events", "3000", "--rounds", "1");

        assertThat(lines).anyMatch(line -> line.matches("ratio-to-pipe: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-to-raw: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-to-overlapped-pipe: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches("cpu-ratio: \\d+\\.\\d\\d"));
        assertThat(lines).anyMatch(line -> line.matches(" *journal +[0-9,]+/s .*"));
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
}
