package dev.waybill.bench.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.BenchProcess;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Debezium's connector and Waybill's on real workers that load both from {@code plugin.path}. Their modules are packaged before. */
class ConnectCommandTest {
    @Test
    @Tag("full")
    void both_connectors_send_the_same_records_from_one_table_and_their_rates_are_printed() throws Exception {
        List<String> lines = BenchProcess.bench("connect", "--events", "5000", "--rounds", "1");

        assertThat(lines).contains("records-equal: yes");
        assertThat(lines).anyMatch(line -> line.matches("connect-debezium: \\d+/s"));
        assertThat(lines).anyMatch(line -> line.matches("connect-waybill-table: \\d+/s"));
        assertThat(lines).anyMatch(line -> line.matches("connect-waybill-journal: \\d+/s"));
        assertThat(lines).anyMatch(line -> line.matches("connect-debezium-in-transactions: \\d+/s"));
        assertThat(lines).anyMatch(line -> line.matches("ratio-to-debezium-connector: \\d+\\.\\d\\d"));
    }
}
