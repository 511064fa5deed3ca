package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PubSubCheckupTest {
    @Test
    void existing_and_missing_topics_are_distinguished() {
        try (PubSubServer server = new PubSubServer();
                Topics topics = new Topics(server.address())) {
            String there = topics.create();

            List<Finding> findings = PubSubCheckup.of(options(server)).examine(List.of(there, "nowhere"));
            assertThat(findings).anyMatch(each -> each.what().contains(there) && each.severity() == Severity.FINE);
            assertThat(findings)
                    .anyMatch(each ->
                            each.what().contains("nowhere does not exist") && each.severity() == Severity.PROBLEM);
        }
    }

    @Test
    void an_unavailable_broker_is_a_finding() {
        try (PubSubServer server = new PubSubServer()) {
            server.stop();

            assertThat(PubSubCheckup.of(options(server)).examine(List.of("orders")))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.PROBLEM));
        }
    }

    private static PubSubOptions options(PubSubServer server) {
        return PubSubOptions.of(Topics.PROJECT).emulator(server.address()).deliveryTimeout(Duration.ofSeconds(3));
    }
}
