package dev.waybill.bench.drain;

import dev.waybill.admin.StoreAdmin;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.telemetry.metrics.WaybillMeters;
import dev.waybill.telemetry.tracing.Tracing;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.function.Function;

/** What observes a relay while it is measured, as in a process that runs for real. In lower case on the command line. */
enum Observation {
    metrics {
        @Override
        Observer begin(StoreAdmin admin, Target target) {
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            WaybillMeters meters = WaybillMeters.in(registry);
            WaybillMeters.Watching store = meters.watch("bench", admin);
            return new Observer() {
                @Override
                public Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting) {
                    return meters.start(plan, starting);
                }

                @Override
                public void close() {
                    store.close();
                    registry.close();
                }
            };
        }
    },

    /** Every span is recorded, and dropped instead of exported. The events have the contexts of as many traces. */
    tracing {
        @Override
        Observer begin(StoreAdmin admin, Target target) {
            SdkTracerProvider provider = SdkTracerProvider.builder()
                    .addSpanProcessor(
                            BatchSpanProcessor.builder(SpanExporter.composite()).build())
                    .build();
            Tracing tracing = Tracing.of(
                    OpenTelemetrySdk.builder().setTracerProvider(provider).build());
            return new Observer() {
                @Override
                public Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting) {
                    return starting.apply(plan.listener(tracing.relay("kafka")));
                }

                @Override
                public void close() {
                    provider.close();
                }
            };
        }
    },

    /** The console of the process, with somebody who has looked at it for some seconds. Off, there is no console at all. */
    console {
        @Override
        Observer begin(StoreAdmin admin, Target target) {
            return WatchedConsole.open(target);
        }
    };

    /**
     * What is observed, for those that connect by themselves.
     *
     * @param url of the journal's database
     * @param kafka bootstrap servers
     * @param relay name of the relay that will drain it
     */
    record Target(String url, String kafka, String relay) {}

    /**
     * Begins before the drain, which is measured from its start.
     *
     * @param admin of the journal that is drained
     */
    abstract Observer begin(StoreAdmin admin, Target target);

    /** Observes one drain. */
    interface Observer extends AutoCloseable {
        /** @param starting starts the plan, observed by others or not */
        Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting);

        @Override
        void close();
    }
}
