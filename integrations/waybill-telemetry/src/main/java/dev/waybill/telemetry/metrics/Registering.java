package dev.waybill.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Registers the meters of {@link WaybillMeter}; labels are given in the order of the table. */
final class Registering {
    private final MeterRegistry registry;
    private final Map<String, Shown> meters = new ConcurrentHashMap<>();

    Registering(MeterRegistry registry) {
        this.registry = registry;
    }

    MeterRegistry registry() {
        return registry;
    }

    Counter counter(WaybillMeter meter, String... labels) {
        return Counter.builder(meter.id())
                .description(meter.description())
                .tags(meter.tags(labels))
                .register(registry);
    }

    DistributionSummary summary(WaybillMeter meter, String... labels) {
        return DistributionSummary.builder(meter.id())
                .description(meter.description())
                .tags(meter.tags(labels))
                .register(registry);
    }

    Timer timer(WaybillMeter meter, String... labels) {
        return Timer.builder(meter.id())
                .description(meter.description())
                .tags(meter.tags(labels))
                .serviceLevelObjectives(meter.buckets())
                .register(registry);
    }

    /** Counts on from zero when an object replaces an earlier one of the same name, as after a restart. */
    <T> void counted(WaybillMeter meter, T object, ToDoubleFunction<T> count, String... labels) {
        Tags tags = meter.tags(labels);
        show(
                meter,
                tags,
                () -> count.applyAsDouble(object),
                shown -> FunctionCounter.builder(meter.id(), shown, Shown::get)
                        .description(meter.description())
                        .tags(tags)
                        .register(registry));
    }

    /** Read by whoever reads the registry: the value must be in memory. Replaces an earlier gauge of the same name. */
    Owned gauge(WaybillMeter meter, Supplier<Number> value, String... labels) {
        Tags tags = meter.tags(labels);
        return show(meter, tags, value, shown -> {
            Gauge.Builder<Shown> gauge = Gauge.builder(meter.id(), shown, Shown::get)
                    .description(meter.description())
                    .tags(tags);
            if (meter.unit().equals(WaybillMeter.SECONDS)) {
                gauge.baseUnit(WaybillMeter.SECONDS);
            }
            return gauge.register(registry);
        });
    }

    /**
     * A later object of the same name takes over the meter: if the meter were removed and registered again, a registry that is read
     * at that moment could contain it twice, and fail.
     */
    private Owned show(WaybillMeter meter, Tags tags, Supplier<Number> value, Function<Shown, Meter> register) {
        String name = meter.id() + tags;
        meters.compute(name, (same, shown) -> {
            if (shown != null && isRegistered(shown.meter)) {
                shown.value = value;
                return shown;
            }
            registry.find(meter.id()).tags(tags).meters().forEach(registry::remove);
            Shown first = new Shown(value);
            first.meter = register.apply(first);
            return first;
        });
        return new Owned(name, value);
    }

    private boolean isRegistered(@Nullable Meter meter) {
        return registry.getMeters().stream().anyMatch(present -> present == meter);
    }

    /** Unless another has taken its place: then the name belongs to that one. */
    void remove(Owned owned) {
        meters.computeIfPresent(owned.name, (same, shown) -> {
            if (shown.value != owned.value) {
                return shown;
            }
            if (shown.meter != null) {
                registry.remove(shown.meter);
            }
            return null;
        });
    }

    /** A meter as long as it shows this value. */
    record Owned(String name, Supplier<Number> value) {}

    /** What a meter shows. */
    private static final class Shown {
        private volatile Supplier<Number> value;
        private @Nullable Meter meter;

        Shown(Supplier<Number> value) {
            this.value = value;
        }

        double get() {
            return value.get().doubleValue();
        }
    }
}
