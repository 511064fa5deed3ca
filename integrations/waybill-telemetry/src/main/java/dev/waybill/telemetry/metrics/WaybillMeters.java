package dev.waybill.telemetry.metrics;

import dev.waybill.RelayName;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Meters of relays, stores, consumers and dead letters in a registry of Micrometer. docs/metrics.md lists them. Safe for use by
 * many threads.
 *
 * <pre>{@code
 * WaybillMeters meters = WaybillMeters.in(registry);
 * Relay relay = meters.start(plan);
 * WaybillMeters.Watching store = meters.watch("orders", journal.admin());
 * }</pre>
 */
public final class WaybillMeters {
    private final Registering registering;

    /** Reads something in the background until it is closed; then its meters are gone. */
    public interface Watching extends AutoCloseable {
        @Override
        void close();
    }

    private WaybillMeters(MeterRegistry registry) {
        this.registering = new Registering(registry);
    }

    public static WaybillMeters in(MeterRegistry registry) {
        return new WaybillMeters(registry);
    }

    /** Starts the relay with meters. If a relay of this name had meters before, they are replaced. */
    public Relay start(RelayPlan plan) {
        return start(plan, RelayPlan::start);
    }

    /** @param starting starts the plan that it is given, which has one more listener */
    public Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting) {
        RelayMeters meters = new RelayMeters(plan.name(), registering);
        Relay relay = starting.apply(plan.listener(meters));
        meters.watch(relay);
        return relay;
    }

    /** Starts the consumer with meters. If a consumer of this name had meters before, they are replaced. */
    public <T> EventConsumer start(ConsumerPlan<T> plan) {
        ConsumerMeters meters = new ConsumerMeters(plan.name(), registering);
        EventConsumer consumer = plan.listener(meters).start();
        meters.watch(consumer);
        return consumer;
    }

    /** A relay of this name could not be started: it counts as failing from now on, until it is started. */
    public void notStarted(RelayName relay) {
        Clock clock = registering.registry().config().clock();
        long since = clock.monotonicTime();
        registering.gauge(WaybillMeter.RELAY_FAILING, () -> (clock.monotonicTime() - since) / 1e9, relay.value());
    }

    /** A consumer of this name could not be started: it counts as not working, until it is started. */
    public void notStarted(String consumer) {
        registering.gauge(WaybillMeter.CONSUMER_WORKING, () -> 0, consumer);
    }

    /** @param failed the number of failed logins to the console since the start of the process; read from memory */
    public void logins(LongSupplier failed) {
        registering.counted(WaybillMeter.LOGINS_FAILED, failed, LongSupplier::getAsLong);
    }

    /**
     * Reads the status of a store in the background; a store that is unavailable delays nobody who reads the registry.
     *
     * @param store the name in the meters
     */
    public Watching watch(String store, StoreAdmin admin) {
        return watch(store, admin, Refresh.STORE);
    }

    public Watching watch(String store, StoreAdmin admin, Refresh refresh) {
        return new StoreMeters(store, admin, registering, refresh);
    }

    /**
     * Counts the dead letters of a destination in the background, as {@link dev.waybill.admin.DeadLetterBox#count} does.
     *
     * @param destination the name in the meters
     */
    public Watching watchDeadLetters(String destination, Supplier<List<DeadLetterCount>> counting) {
        return watchDeadLetters(destination, counting, Refresh.DEAD_LETTERS);
    }

    public Watching watchDeadLetters(String destination, Supplier<List<DeadLetterCount>> counting, Refresh refresh) {
        return new DeadLetterMeters(destination, counting, registering, refresh);
    }
}
