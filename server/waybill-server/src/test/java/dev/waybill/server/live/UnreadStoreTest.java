package dev.waybill.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.spi.StoreException;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.testkit.Await;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UnreadStoreTest {
    private final OwnRelays own = new OwnRelays();

    @Test
    void a_relay_of_this_process_is_known_though_its_store_cannot_be_read() {
        try (Relay relay = start();
                StoreSampler sampler = sampler(() -> {
                    throw new StoreException("away");
                })) {
            sampler.start();
            Await.until("a reading failed", () -> sampler.sample().unavailable().isPresent());

            assertThat(sampler.sample().own()).containsOnlyKeys("main");
            assertThat(relay.isAlive()).isTrue();
        }
    }

    @Test
    void a_relay_of_this_process_is_known_though_its_store_does_not_answer() throws InterruptedException {
        CountDownLatch answer = new CountDownLatch(1);
        AtomicBoolean reading = new AtomicBoolean();
        try (Relay relay = start();
                StoreSampler sampler = sampler(() -> {
                    reading.set(true);
                    try {
                        answer.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })) {
            sampler.start();
            Await.until("it is read", reading::get);
            Await.until("it waits", () -> sampler.sample().unavailable().isPresent());

            assertThat(sampler.sample().own()).containsOnlyKeys("main");
            assertThat(relay.isAlive()).isTrue();
        } finally {
            answer.countDown();
        }
    }

    private Relay start() {
        RelayPlan plan = Relay.named("main").from(new InMemoryOutbox().store()).to(new InMemoryDestination());
        Relay relay = plan.start();
        own.started(plan, relay);
        return relay;
    }

    private StoreSampler sampler(Runnable opening) {
        return new StoreSampler(
                "orders",
                Set.of("main"),
                () -> {
                    opening.run();
                    throw new StoreException("away");
                },
                own,
                () -> true,
                () -> {});
    }
}
