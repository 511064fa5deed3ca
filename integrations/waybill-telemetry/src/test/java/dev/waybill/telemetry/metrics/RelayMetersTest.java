package dev.waybill.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Delivery;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RelayMetersTest {
    private final Scene scene = new Scene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void published_events_batches_and_the_three_parts_of_their_latency_are_measured() {
        scene.append("a", "b", "c");
        scene.relay("orders");
        scene.until(3, "waybill_relay_published_total", "relay", "orders");

        Exposition now = scene.scrape();
        assertThat(now.value("waybill_relay_attempts_total", "relay", "orders", "outcome", "delivered"))
                .isEqualTo(3);
        assertThat(now.value("waybill_relay_batch_size_sum", "relay", "orders")).isEqualTo(3);
        for (String phase : new String[] {"commit-to-claim", "claim-to-send", "send-to-ack"}) {
            assertThat(now.value("waybill_relay_latency_seconds_count", "relay", "orders", "phase", phase))
                    .as(phase)
                    .isGreaterThanOrEqualTo(1);
        }
        assertThat(now.value("waybill_relay_sessions_total", "relay", "orders")).isEqualTo(1);
        assertThat(now.value("waybill_relay_phase", "relay", "orders", "phase", "running"))
                .isEqualTo(1);
        assertThat(now.value("waybill_relay_phase", "relay", "orders", "phase", "standing-by"))
                .isZero();
    }

    /** As in a table that others write. */
    @Test
    void events_without_a_time_of_creation_have_no_latency_since_then() {
        InMemoryOutbox unknown = new InMemoryOutbox(InstantSource.fixed(Instant.EPOCH));
        try (InMemoryTransaction transaction = unknown.begin()) {
            unknown.append(
                    transaction,
                    Event.of("order.placed").aggregate("Order", "a").payload(Payload.json("{}")));
            transaction.commit();
        }
        try (Relay relay =
                scene.meters.start(Relay.named("orders").from(unknown.store()).to(scene.broker))) {
            scene.until(1, "waybill_relay_published_total", "relay", "orders");
            assertThat(relay.statistics().published()).isOne();
        }
        Exposition now = scene.scrape();
        assertThat(now.value("waybill_relay_latency_seconds_sum", "relay", "orders", "phase", "commit-to-claim"))
                .isZero();
        assertThat(now.value("waybill_relay_latency_seconds_count", "relay", "orders", "phase", "send-to-ack"))
                .isEqualTo(1);
    }

    /** As when all events of a page were rolled back, deleted, or wait behind an earlier one of their key. */
    @Test
    void a_page_without_events_is_not_measured() {
        scene.broker.failKey("Order:a", 1, new Delivery.Refused("no such topic"));
        Relay relay = scene.meters.start(
                scene.plan("orders").options(RelayOptions.defaults().onDead(OnDead.HOLD)));
        try (relay) {
            scene.append("a");
            scene.until(1, "waybill_relay_dead_total", "relay", "orders");
            scene.appendTo("a", "behind it");
            Await.until(
                    "its page is settled",
                    () -> scene.outbox.admin().relays().get(0).backlog() == 0);
            scene.append("b");
            scene.until(1, "waybill_relay_published_total", "relay", "orders");
        }
        assertThat(scene.scrape().value("waybill_relay_batch_size_count", "relay", "orders"))
                .isEqualTo(2);
    }

    @Test
    void failed_and_refused_attempts_are_counted_apart_and_so_are_dead_events() {
        scene.broker.failKey("Order:a", 1, new Delivery.Retry("not now"));
        scene.broker.failKey("Order:b", 1, new Delivery.Refused("no such topic"));
        scene.append("a", "b");
        scene.relay("orders");
        scene.until(1, "waybill_relay_published_total", "relay", "orders");
        scene.until(1, "waybill_relay_dead_total", "relay", "orders");

        Exposition now = scene.scrape();
        assertThat(now.value("waybill_relay_attempts_total", "relay", "orders", "outcome", "failed"))
                .isEqualTo(1);
        assertThat(now.value("waybill_relay_attempts_total", "relay", "orders", "outcome", "refused"))
                .isEqualTo(1);
        assertThat(now.value("waybill_relay_repeats_total", "relay", "orders")).isZero();
    }

    @Test
    void an_event_in_doubt_is_sent_again_and_counted_as_a_repeat() {
        scene.broker.failKey("Order:a", 1, new Delivery.InDoubt("its partition is away"));
        scene.append("a");
        scene.relay("orders");
        scene.until(1, "waybill_relay_published_total", "relay", "orders");

        assertThat(scene.scrape().value("waybill_relay_repeats_total", "relay", "orders"))
                .isEqualTo(1);
    }

    @Test
    void an_unavailable_destination_shows_while_it_lasts() {
        scene.broker.goAway();
        scene.append("a");
        scene.relay("orders");
        scene.until(1, "waybill_relay_destination_unavailable", "relay", "orders");
        scene.until(1, "waybill_relay_phase", "relay", "orders", "phase", "backing-off");
        assertThat(scene.scrape().value("waybill_relay_failing_seconds", "relay", "orders"))
                .isPositive();

        scene.broker.comeBack();
        scene.until(0, "waybill_relay_destination_unavailable", "relay", "orders");
        scene.until(0, "waybill_relay_failing_seconds", "relay", "orders");
    }

    @Test
    void a_relay_that_is_started_again_replaces_the_meters_of_the_earlier_one() {
        Relay first = scene.relay("orders");
        scene.until(1, "waybill_relay_phase", "relay", "orders", "phase", "running");
        first.close();
        scene.until(1, "waybill_relay_phase", "relay", "orders", "phase", "stopped");

        scene.relay("orders");
        scene.until(1, "waybill_relay_phase", "relay", "orders", "phase", "running");
        scene.append("a");
        scene.until(1, "waybill_relay_published_total", "relay", "orders");
    }
}
