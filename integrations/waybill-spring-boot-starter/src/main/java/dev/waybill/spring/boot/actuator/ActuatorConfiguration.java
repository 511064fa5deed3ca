package dev.waybill.spring.boot.actuator;

import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.run.RunningRelays;
import dev.waybill.spring.boot.run.RunningReplays;
import dev.waybill.spring.boot.store.WaybillStores;
import java.time.InstantSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health and the endpoint as beans. */
@Configuration(proxyBeanMethods = false)
public class ActuatorConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @EnableConfigurationProperties(WaybillHealthProperties.class)
    static class OfHealth {
        @Bean
        @ConditionalOnEnabledHealthIndicator("waybill")
        @ConditionalOnMissingBean(name = "waybillHealthIndicator")
        WaybillHealthIndicator waybillHealthIndicator(
                RunningRelays relays, RunningConsumers consumers, WaybillHealthProperties properties) {
            return new WaybillHealthIndicator(relays, consumers, properties.notReadyAfter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    @EnableConfigurationProperties(WaybillEndpointProperties.class)
    static class OfEndpoint {
        @Bean
        @ConditionalOnAvailableEndpoint(WaybillEndpoint.class)
        WaybillEndpoint waybillEndpoint(
                WaybillStores stores,
                RunningRelays relays,
                RunningConsumers consumers,
                RunningReplays replays,
                WaybillEndpointProperties properties) {
            return new WaybillEndpoint(
                    new StatusView(stores, relays, consumers, properties.showPayloads()),
                    new RelayOperations(relays, replays, InstantSource.system()));
        }
    }
}
