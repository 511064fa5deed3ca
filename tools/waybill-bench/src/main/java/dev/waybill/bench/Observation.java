package dev.waybill.bench;

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
        Observer begin(StoreAdmin admin, String url) {
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
        Observer begin(StoreAdmin admin, String url) {
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

    /** The console of the process, with somebody who looks at it. Off, there is no console at all. */
    console {
        @Override
        Observer begin(StoreAdmin admin, String url) {
            return WatchedConsole.open(url);
        }
    };

    /**
     * @param admin of the journal that is drained
     * @param url of its database
     */
    abstract Observer begin(StoreAdmin admin, String url);

    /** Observes one drain. */
    interface Observer extends AutoCloseable {
        /** @param starting starts the plan, observed by others or not */
        Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting);

        @Override
        void close();
    }
}
