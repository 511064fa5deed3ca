package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.BrokerFindings;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaCheckupTest {
    @Test
    void existing_and_missing_topics_are_distinguished_and_none_is_created() {
        try (Broker broker = new Broker(Map.of("auto.create.topics.enable", "true"))) {
            String there = broker.newTopic();
            KafkaCheckup checkup = KafkaCheckup.of(broker.options());

            for (int look = 0; look < 2; look++) {
                List<Finding> findings = checkup.examine(List.of(there, "nowhere"));
                assertThat(findings)
                        .anyMatch(each -> each.what().startsWith(there + ", ") && each.severity() == Severity.FINE);
                assertThat(findings)
                        .anyMatch(each ->
                                each.what().contains("nowhere does not exist") && each.severity() == Severity.WARNING);
            }
        }
    }

    @Test
    void a_broker_that_does_not_answer_is_reported_with_the_time_that_was_waited() {
        KafkaOptions nowhere = KafkaOptions.of(Map.of("bootstrap.servers", "127.0.0.1:1"));

        assertThat(new KafkaCheckup(nowhere, Duration.ofSeconds(1)).examine(List.of("orders")))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                    assertThat(finding.what())
                            .isEqualTo("Kafka at 127.0.0.1:1 did not answer within 1 s")
                            .doesNotContain("unavailable");
                    assertThat(BrokerFindings.isUnavailable(finding)).isTrue();
                });
    }
}
