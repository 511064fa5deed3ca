package dev.waybill.spring.boot.telemetry;

import dev.waybill.RelayName;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayPlan;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.boot.run.BrokerListeners;
import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.run.Starting;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.telemetry.metrics.WaybillMeters;
import dev.waybill.telemetry.tracing.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.sql.Connection;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters and spans as beans. */
@Configuration(proxyBeanMethods = false)
public class TelemetryConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({WaybillMeters.class, MeterRegistry.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class Metrics {
        @Bean
        WaybillMeters waybillMeters(MeterRegistry registry) {
            return WaybillMeters.in(registry);
        }

        @Bean
        Starting waybillStartsWithMeters(WaybillMeters meters) {
            return new Starting() {
                @Override
                public Relay start(RelayPlan plan) {
                    return meters.start(plan);
                }

                @Override
                public EventConsumer start(ConsumerPlan<Connection> plan) {
                    return meters.start(plan);
                }

                @Override
                public void failed(RelayName relay) {
                    meters.notStarted(relay);
                }

                @Override
                public void failed(String consumer) {
                    meters.notStarted(consumer);
                }
            };
        }

        @Bean
        WatchStores waybillWatchesStores(WaybillMeters meters, WaybillStores stores, RunningConsumers consumers) {
            return new WatchStores(meters, stores, consumers);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tracing.class, OpenTelemetry.class})
    @ConditionalOnBean(OpenTelemetry.class)
    static class Traces {
        @Bean
        Tracing waybillTracing(OpenTelemetry openTelemetry) {
            return Tracing.of(openTelemetry);
        }

        /** The context of the append is stored in the event. */
        @Bean
        EventCustomizer waybillStoresContext(Tracing tracing) {
            return tracing::inContext;
        }

        @Bean
        BrokerListeners waybillSpans(Tracing tracing) {
            return new BrokerListeners() {
                @Override
                public RelayListener relay(String system) {
                    return tracing.relay(system);
                }

                @Override
                public ConsumerListener consumer(String system) {
                    return tracing.consumer(system);
                }
            };
        }
    }
}
