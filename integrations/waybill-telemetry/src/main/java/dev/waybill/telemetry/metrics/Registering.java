package dev.waybill.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Registers the meters of {@link WaybillMeter}; labels are given in the order of the table. */
final class Registering {
    private final MeterRegistry registry;

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
        replace(meter, tags);
        FunctionCounter.builder(meter.id(), object, count)
                .description(meter.description())
                .tags(tags)
                .register(registry);
    }

    /** Read by whoever reads the registry: the value must be in memory. Replaces an earlier gauge of the same name. */
    Meter gauge(WaybillMeter meter, Supplier<Number> value, String... labels) {
        Tags tags = meter.tags(labels);
        replace(meter, tags);
        Gauge.Builder<Supplier<Number>> gauge = Gauge.builder(meter.id(), value)
                .description(meter.description())
                .tags(tags);
        if (meter.unit().equals(WaybillMeter.SECONDS)) {
            gauge.baseUnit(WaybillMeter.SECONDS);
        }
        return gauge.register(registry);
    }

    /** Unless another has taken its place: then the name belongs to that one. */
    void remove(Meter meter) {
        if (registry.getMeters().stream().anyMatch(present -> present == meter)) {
            registry.remove(meter);
        }
    }

    private void replace(WaybillMeter meter, Tags tags) {
        registry.find(meter.id()).tags(tags).meters().forEach(registry::remove);
    }
}
