package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker with a quota takes a backlog more slowly than a producer's time limit allows for a large transaction. */
class ThrottledKafkaTest {
    private static final int EVENTS = 4_000;
    private static final double BYTES_A_SECOND = 100_000;

    /** About 2 kB each, which hardly become smaller by compression. */
    private static final String LARGE = """
            insert into waybill.event (type, aggregate_type, aggregate_id, aggregate_version, payload)
            select 'aggregate.changed.v1', 'Order', 'aggregate-' || g %% 500, g,
                   json_build_object('revision', g, 'note', (
                       select string_agg(md5(g::text || i::text), '') from generate_series(1, 60) i))
              from generate_series(1, %d) g""".formatted(EVENTS);

    @Tag("full")
    @Test
    void an_exactly_once_relay_gets_through_a_backlog_although_its_usual_transaction_never_fits() throws Exception {
        try (Trial trial = Trial.begin("throttled")) {
            RelaySettings settings = trial.relay("orders").exactlyOnce(true).withDelivery(Duration.ofSeconds(5));
            trial.database().execute(LARGE);
            quota(BYTES_A_SECOND);
            try {
                trial.start(settings);
                trial.awaitDrained(settings);
            } finally {
                quota(null);
            }
            assertThat(trial.read(settings).read().stream().map(Delivered::eventId))
                    .doesNotHaveDuplicates()
                    .hasSameElementsAs(trial.database().committed().keySet())
                    .hasSize(EVENTS);
        }
    }

    /** @param bytes a second, for every client; null for no limit */
    private static void quota(@Nullable Double bytes) throws Exception {
        ClientQuotaEntity everybody = new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.USER, null));
        ClientQuotaAlteration.Op limit = new ClientQuotaAlteration.Op("producer_byte_rate", bytes);
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers()))) {
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(everybody, List.of(limit))))
                    .all()
                    .get();
        }
    }
}
