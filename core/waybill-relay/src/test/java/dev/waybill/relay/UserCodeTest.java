package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.format.Format;
import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.route.Route;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoredEvent;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Code of the application harms its own event or call only. */
@Timeout(120)
class UserCodeTest {
    private final RelayScene scene = new RelayScene();
    private final CountDownLatch released = new CountDownLatch(1);

    /** Where a relay calls it, on its own thread. */
    private enum Place {
        ROUTE,
        FORMAT,
        CLAIMED,
        SENDING,
        PUBLISH,
        HANDED_OVER,
        ENDED,
        PUBLISHED
    }

    @AfterEach
    void end() {
        released.countDown();
        scene.close();
    }

    @ParameterizedTest
    @EnumSource
    void code_that_leaves_its_thread_interrupted_does_not_stop_the_relay(Place place) {
        AtomicInteger interrupts = new AtomicInteger();
        Relay relay = scene.start(planThat(place, () -> {
            interrupts.incrementAndGet();
            Thread.currentThread().interrupt();
        }));
        for (String event : List.of("a1", "a2", "a3")) {
            scene.append(event);
            scene.untilDelivered(event);
        }
        scene.untilSettled();
        Await.until("it was called", () -> interrupts.get() >= 3);

        assertThat(relay.isAlive()).isTrue();
        assertThat(scene.delivered()).containsExactly("a1", "a2", "a3");
        assertThat(relay.statistics().sessions()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"CLAIMED", "SENDING", "HANDED_OVER", "ENDED", "PUBLISHED"})
    void a_listener_that_blocks_does_not_lose_the_lease(Place place) {
        CountDownLatch blocked = new CountDownLatch(1);
        Relay relay = scene.start(planThat(place, () -> {
                    blocked.countDown();
                    await(released);
                })
                .options(RelayOptions.defaults()
                        .lease(RelayScene.LEASE)
                        .inFlight(new InFlight(5, 1_000_000, Duration.ofMillis(100)))));
        scene.append("a1");
        await(blocked);
        int renewals = scene.store().calls(Call.RENEW);
        Await.until("the lease is renewed for long", () -> scene.store().calls(Call.RENEW) >= renewals + 4);
        assertThat(scene.outbox().store().open(CycleScene.RELAY, new OwnerId("another"), RelayScene.LEASE))
                .isEmpty();

        released.countDown();
        scene.append("a2");
        scene.untilDelivered("a1", "a2");
        scene.untilSettled();
        assertThat(scene.delivered()).containsExactly("a1", "a2");
        assertThat(relay.statistics().sessions()).isEqualTo(1);
    }

    @Test
    void a_listener_that_returns_nothing_for_a_call_of_the_destination_does_no_harm() {
        Relay relay = scene.start(RelayScene.plan(scene.store(), scene.broker()).listener(new RelayListener() {
            @Override
            public Sending sending(
                    RelayName name, List<StoredEvent> events, List<OutboundMessage> messages, Duration sinceClaim) {
                return null;
            }
        }));
        scene.append("a1");
        scene.untilDelivered("a1");
        scene.untilSettled();

        assertThat(relay.statistics().sessions()).isEqualTo(1);
        assertThat(scene.delivered()).containsExactly("a1");
    }

    private RelayPlan planThat(Place place, Runnable does) {
        Route byType = Route.byType();
        Format raw = Format.raw();
        return RelayScene.plan(scene.store(), new DestinationThat(scene.broker(), at(place, Place.PUBLISH, does)))
                .route(event -> {
                    at(place, Place.ROUTE, does).run();
                    return byType.addressOf(event);
                })
                .format(event -> {
                    at(place, Place.FORMAT, does).run();
                    return raw.format(event);
                })
                .listener(new ListenerThat(place, does));
    }

    private static Runnable at(Place place, Place here, Runnable does) {
        return place == here ? does : () -> {};
    }

    private record ListenerThat(Place place, Runnable does) implements RelayListener {
        @Override
        public void claimed(RelayName relay, List<StoredEvent> events) {
            at(place, Place.CLAIMED, does).run();
        }

        @Override
        public Sending sending(
                RelayName relay, List<StoredEvent> events, List<OutboundMessage> messages, Duration sinceClaim) {
            at(place, Place.SENDING, does).run();
            return new Sending() {
                @Override
                public void handedOver() {
                    at(place, Place.HANDED_OVER, does).run();
                }

                @Override
                public void ended(List<Delivery> deliveries) {
                    at(place, Place.ENDED, does).run();
                }
            };
        }

        @Override
        public void published(RelayName relay, List<StoredEvent> events) {
            at(place, Place.PUBLISHED, does).run();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
