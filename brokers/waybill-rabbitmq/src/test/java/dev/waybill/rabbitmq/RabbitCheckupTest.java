package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class RabbitCheckupTest {
    @Test
    void existing_and_missing_exchanges_and_queues_are_distinguished() {
        try (Broker broker = Broker.start()) {
            RabbitOptions options = broker.options();
            assertThat(RabbitCheckup.of(options.exchange(Broker.EXCHANGE)).examine(List.of("any")))
                    .allMatch(finding -> finding.severity() == Severity.FINE)
                    .anyMatch(finding -> finding.what().contains(Broker.EXCHANGE));

            List<Finding> findings = RabbitCheckup.of(options.exchange("")).examine(List.of("no-queue", "nor-this"));
            assertThat(findings)
                    .filteredOn(finding -> finding.severity() == Severity.PROBLEM)
                    .extracting(Finding::subject)
                    .containsExactly("queue", "queue");
            assertThat(findings.toString()).doesNotContain(Broker.PASSWORD);
        }
    }

    @Test
    void an_unavailable_broker_is_a_finding() {
        assertThat(RabbitCheckup.of(RabbitOptions.of("amqp://guest:guest@127.0.0.1:1/"))
                        .examine(List.of("orders")))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.PROBLEM));
    }
}
