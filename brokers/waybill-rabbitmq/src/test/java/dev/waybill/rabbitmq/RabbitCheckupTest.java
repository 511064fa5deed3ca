package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class RabbitCheckupTest {
    @Test
    void exchanges_and_queues_that_are_there_and_that_are_not_are_told_apart() {
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
    void a_broker_that_is_away_is_a_finding() {
        assertThat(RabbitCheckup.of(RabbitOptions.of("amqp://guest:guest@127.0.0.1:1/"))
                        .examine(List.of("orders")))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.PROBLEM));
    }
}
