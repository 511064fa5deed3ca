package dev.waybill.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.relay.Relay;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.StoreException;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StoreMetersTest {
    private static final RelayName ORDERS = new RelayName("orders");

    private final Scene scene = new Scene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Test
    void backlog_dead_and_lease_are_those_of_the_store() {
        scene.broker.failKey("Order:dead", 1, new Delivery.Refused("no such topic"));
        scene.append("dead", "well");
        scene.relay("orders");
        scene.store("shop");
        scene.until(1, "waybill_store_dead", "store", "shop", "relay", "orders");
        scene.until(1, "waybill_store_up", "store", "shop");
        scene.until(1, "waybill_store_lease_held", "store", "shop", "relay", "orders");
        scene.until(0, "waybill_store_backlog", "store", "shop", "relay", "orders");
        scene.until(0, "waybill_store_oldest_age_seconds", "store", "shop", "relay", "orders");

        scene.outbox.admin().pause(ORDERS, new Actor("anna", "test"));
        scene.append("one", "two");
        scene.until(2, "waybill_store_backlog", "store", "shop", "relay", "orders");
        scene.until(1, "waybill_store_paused", "store", "shop", "relay", "orders");
    }

    @Test
    void the_oldest_event_may_be_a_parked_one() {
        scene.append("a");
        RelayStatus parked = status("orders", Optional.empty(), Optional.of(Duration.ofMinutes(7)));
        watch(() -> List.of(parked), Scene.OFTEN);
        scene.until(420, "waybill_store_oldest_age_seconds", "store", "shop", "relay", "orders");
    }

    /** A table may have no creation time; 0 would say that nothing waits. */
    @Test
    void the_age_of_events_that_wait_is_not_0_if_it_is_unknown() {
        watch(() -> List.of(status("orders", Optional.empty(), Optional.empty())), Scene.OFTEN);
        scene.until(5, "waybill_store_backlog", "store", "shop", "relay", "orders");
        scene.until(Double.NaN, "waybill_store_oldest_age_seconds", "store", "shop", "relay", "orders");
    }

    @Test
    void a_store_that_is_unavailable_has_no_values_and_is_not_up() {
        AtomicInteger away = new AtomicInteger();
        watch(
                () -> {
                    if (away.get() > 0) {
                        throw new StoreException("no connection", new IllegalStateException("planted"));
                    }
                    return List.of(status("orders", Optional.empty(), Optional.empty()));
                },
                Scene.OFTEN);
        scene.until(1, "waybill_store_up", "store", "shop");
        away.set(1);
        scene.until(0, "waybill_store_up", "store", "shop");
        assertThat(scene.scrape().value("waybill_store_backlog", "store", "shop", "relay", "orders"))
                .isNaN();
        away.set(0);
        scene.until(1, "waybill_store_up", "store", "shop");
    }

    @Test
    void a_reading_that_does_not_end_delays_no_scrape() {
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger readings = new AtomicInteger();
        WaybillMeters.Watching watching = watch(
                () -> {
                    if (readings.incrementAndGet() > 1) {
                        // Like a driver that does not listen to interrupts.
                        Await.until("free", () -> free.getCount() == 0);
                    }
                    return List.of(status("orders", Optional.empty(), Optional.empty()));
                },
                new Refresh(Duration.ofMillis(5), Duration.ofMillis(20)));
        scene.until(0, "waybill_store_up", "store", "shop");
        scene.until(Double.NaN, "waybill_store_dead", "store", "shop", "relay", "orders");
        assertThat(readings.get()).as("readings do not pile up").isLessThanOrEqualTo(2);
        watching.close();
        free.countDown();
        assertThat(scene.scrape().names()).noneMatch(name -> name.startsWith("waybill_store"));
    }

    @Test
    void the_meters_of_a_dropped_relay_go_and_their_number_is_bounded() {
        AtomicInteger count = new AtomicInteger(1_000);
        watch(
                () -> IntStream.range(0, count.get())
                        .mapToObj(i -> status("r" + i, Optional.empty(), Optional.empty()))
                        .toList(),
                Scene.OFTEN);
        scene.until(5, "waybill_store_backlog", "store", "shop", "relay", "r99");
        assertThat(backlogs()).isEqualTo(StoreMeters.MOST_RELAYS);

        count.set(1);
        Await.until("one relay is left", () -> backlogs() == 1);
    }

    @Test
    void closing_a_watch_that_was_replaced_leaves_the_meters_of_the_new_one() {
        WaybillMeters.Watching replaced =
                watch(() -> List.of(status("orders", Optional.empty(), Optional.empty())), Scene.OFTEN);
        scene.until(5, "waybill_store_backlog", "store", "shop", "relay", "orders");
        RelayStatus waiting = status("orders", Optional.of(Duration.ofMinutes(7)), Optional.empty());
        watch(() -> List.of(waiting), Scene.OFTEN);
        scene.until(420, "waybill_store_oldest_age_seconds", "store", "shop", "relay", "orders");
        replaced.close();
        assertThat(scene.scrape().value("waybill_store_up", "store", "shop")).isEqualTo(1);
        assertThat(scene.scrape().value("waybill_store_oldest_age_seconds", "store", "shop", "relay", "orders"))
                .isEqualTo(420);
    }

    @Test
    void the_epoch_of_the_lease_grows_with_every_process_that_takes_it() {
        scene.store("shop");
        for (int epoch = 1; epoch <= 3; epoch++) {
            try (Relay killed = scene.meters.start(scene.plan("orders"))) {
                scene.until(epoch, "waybill_store_lease_epoch", "store", "shop", "relay", "orders");
                assertThat(killed.statistics().sessions()).isOne();
            }
            scene.until(Double.NaN, "waybill_store_lease_epoch", "store", "shop", "relay", "orders");
        }
    }

    private long backlogs() {
        Exposition now = scene.scrape();
        return now.samples().stream()
                .filter(sample -> sample.name().equals("waybill_store_backlog"))
                .count();
    }

    private WaybillMeters.Watching watch(Supplier<List<RelayStatus>> relays, Refresh refresh) {
        return scene.watch("shop", readBy(scene.outbox.admin(), relays), refresh);
    }

    /** The store in memory, except for how the status of its relays is read. */
    private static StoreAdmin readBy(StoreAdmin admin, Supplier<List<RelayStatus>> relays) {
        return (StoreAdmin) Proxy.newProxyInstance(
                StoreAdmin.class.getClassLoader(), new Class<?>[] {StoreAdmin.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("relays")) {
                        return relays.get();
                    }
                    try {
                        return method.invoke(admin, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static RelayStatus status(String name, Optional<Duration> pending, Optional<Duration> parked) {
        return new RelayStatus(
                name,
                Optional.empty(),
                false,
                5,
                true,
                pending,
                parked,
                0,
                0,
                OptionalDouble.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty());
    }
}
