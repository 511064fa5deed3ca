package dev.waybill.spring.boot.run;

import dev.waybill.jdbc.InboxLayout;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.boot.properties.ConsumerProperties;
import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.RelayProperties;
import dev.waybill.spring.boot.properties.WaybillProperties;
import dev.waybill.spring.boot.store.WaybillStores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** Relays, consumers and their brokers as beans. */
@Configuration(proxyBeanMethods = false)
@Import({KafkaConnectionConfiguration.class, RabbitConnectionConfiguration.class})
public class RunConfiguration {
    /** The default of spring.lifecycle.timeout-per-shutdown-phase. */
    private static final Duration PHASE = Duration.ofSeconds(30);

    @Bean
    StoreInboxes waybillInbox(
            WaybillStores stores, ListableBeanFactory beans, ObjectProvider<InboxLayout> ofTheApplication) {
        InboxLayout layout = ofTheApplication.getIfAvailable(InboxLayout::waybill);
        StoreInboxes inboxes = new StoreInboxes(stores, new TransactionManagers(beans), layout);
        inboxes.create();
        return inboxes;
    }

    @Bean
    Brokers waybillBrokers(WaybillProperties properties, ObjectProvider<BrokerType> types, Environment environment) {
        Mistakes mistakes = new Mistakes();
        Brokers brokers = Brokers.of(
                properties.destinations(),
                types.orderedStream().toList(),
                defaults(environment, DestinationProperties.class),
                mistakes);
        mistakes.requireNone();
        return brokers;
    }

    @Bean
    RunningRelays waybillRelays(
            WaybillProperties properties,
            WaybillStores stores,
            Brokers brokers,
            ListableBeanFactory beans,
            Environment environment) {
        Mistakes mistakes = new Mistakes();
        RelayPlanner planner = new RelayPlanner(stores, brokers, limits(properties, environment), mistakes);
        List<PlannedRelay> relays = properties.relays().isEmpty()
                ? planner.main(defaults(environment, RelayProperties.class), properties.autoStartup())
                : planner.plan(properties.relays());
        mistakes.requireNone();
        return new RunningRelays(relays, new Observers(beans), properties::autoStartup);
    }

    @Bean
    RunningReplays waybillReplays(RunningRelays relays) {
        return new RunningReplays(relays);
    }

    @Bean
    RunningConsumers waybillConsumers(
            WaybillProperties properties,
            StoreInboxes inboxes,
            Brokers brokers,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        return new RunningConsumers(
                () -> {
                    Mistakes mistakes = new Mistakes();
                    HandlerMethods methods =
                            new HandlerMethods(beans, () -> mapper(beans), RunConfiguration::typeOf, mistakes);
                    List<PlannedConsumer> consumers = new ConsumerPlanner(
                                    inboxes, brokers, limits(properties, environment), mistakes)
                            .plan(
                                    methods.find(),
                                    properties.consumers(),
                                    defaults(environment, ConsumerProperties.class));
                    mistakes.requireNone();
                    return consumers;
                },
                new Observers(beans),
                properties::autoStartup);
    }

    /** The one that also writes payloads. Without one, or if it is not clear which one, both are done as Jackson does by default. */
    private static JsonMapper mapper(ListableBeanFactory beans) {
        JsonMapper application = beans.getBeanProvider(JsonMapper.class).getIfUnique();
        return application == null ? JsonMapper.shared() : application;
    }

    private static Optional<String> typeOf(Class<?> payload) {
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(payload, AppendedAs.class))
                .map(AppendedAs::type);
    }

    private static RelayPlanner.Limits limits(WaybillProperties properties, Environment environment) {
        return new RelayPlanner.Limits(
                Optional.ofNullable(properties.source())
                        .or(() -> Optional.ofNullable(environment.getProperty("spring.application.name"))),
                Binder.get(environment)
                        .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                        .orElse(PHASE),
                RegistryLocation::read);
    }

    /** With all defaults. */
    private static <T> T defaults(Environment environment, Class<T> type) {
        return Binder.get(environment).bindOrCreate("waybill.nothing", type);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaDestination.class)
    static class Kafka {
        @Bean
        KafkaBrokerType waybillKafka(ObjectProvider<KafkaBrokerType.Connection> connection) {
            return new KafkaBrokerType(Optional.ofNullable(connection.getIfAvailable()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RabbitDestination.class)
    static class Rabbit {
        @Bean
        RabbitBrokerType waybillRabbit(ObjectProvider<RabbitBrokerType.Connection> connection) {
            return new RabbitBrokerType(Optional.ofNullable(connection.getIfAvailable()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PubSubDestination.class)
    static class PubSub {
        @Bean
        PubSubBrokerType waybillPubSub() {
            return new PubSubBrokerType();
        }
    }
}
