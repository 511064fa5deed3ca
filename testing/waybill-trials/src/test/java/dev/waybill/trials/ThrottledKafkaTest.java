package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker with a quota takes a backlog more slowly than a producer's time limit allows for a large transaction. */
class ThrottledKafkaTest {
    private static final double BYTES_A_SECOND = 20_000;

    @Tag("full")
    @Test
    void an_exactly_once_relay_gets_through_a_backlog_although_its_usual_transaction_never_fits() throws Exception {
        try (Trial trial = Trial.begin("throttled")) {
            RelaySettings settings = trial.relay("orders").exactlyOnce(true).withDelivery(Duration.ofSeconds(5));
            Workload load = trial.startWriting(500);
            Await.watch(Duration.ofSeconds(10));
            load.end();
            quota(BYTES_A_SECOND);
            try {
                trial.start(settings);
                trial.awaitDrained(settings);
            } finally {
                quota(null);
            }
            Trial.Outcome outcome = trial.judge(settings, load.log());
            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().duplicates()).as(outcome.toString()).isZero();
        }
    }

    /** @param bytes a second, for every client; null for no limit */
    private static void quota(Double bytes) throws Exception {
        ClientQuotaEntity everybody = new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.USER, null));
        ClientQuotaAlteration.Op limit = new ClientQuotaAlteration.Op("producer_byte_rate", bytes);
        try (Admin admin = Admin.create(
                Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers()))) {
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(everybody, List.of(limit))))
                    .all()
                    .get();
        }
    }
}
