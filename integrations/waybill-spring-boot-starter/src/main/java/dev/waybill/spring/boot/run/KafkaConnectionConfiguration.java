package dev.waybill.spring.boot.run;

import dev.waybill.kafka.KafkaOptions;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Spring Boot's connection to Kafka: {@code spring.kafka.*}, or the details that a test or a container gives. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({KafkaConnectionDetails.class, KafkaOptions.class})
class KafkaConnectionConfiguration {
    /** The application's own listeners need them; a consumer has its own. */
    private static final Set<String> NOT_FOR_CONSUMERS = Set.of(
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, // or events before the first start would be lost
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    @Bean
    @ConditionalOnBean({KafkaConnectionDetails.class, KafkaProperties.class})
    KafkaBrokerType.Connection waybillKafkaConnection(KafkaConnectionDetails details, KafkaProperties properties) {
        KafkaConnectionDetails.Configuration producer = details.getProducer();
        return new KafkaBrokerType.Connection(
                text(properties.buildProducerProperties(), notForRelays(), producer),
                text(properties.buildConsumerProperties(), NOT_FOR_CONSUMERS, details.getConsumer()),
                producer.getSslBundle() == null
                        ? Map.of()
                        : Map.of(SslBundle.class.getName(), producer.getSslBundle()));
    }

    /** A partitioner for the application's templates may scatter the events of a key, which would lose their order. */
    private static Set<String> notForRelays() {
        Set<String> names = new HashSet<>(KafkaOptions.fixedProperties());
        names.add(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        return names;
    }

    /** The settings of the connection win over properties, as in Spring Boot's own factories. */
    private static Map<String, String> text(
            Map<String, Object> properties, Set<String> without, KafkaConnectionDetails.Configuration details) {
        Map<String, String> text = new HashMap<>();
        Set<String> names = new HashSet<>(properties.keySet());
        names.removeAll(without);
        names.forEach(name -> text.put(name, text(properties.get(name))));
        text.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, String.join(",", details.getBootstrapServers()));
        if (details.getSecurityProtocol() != null) {
            text.put("security.protocol", details.getSecurityProtocol());
        }
        if (details.getSslBundle() != null) {
            text.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslBundleSslEngineFactory.class.getName());
        }
        return text;
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Class<?> type) {
            return type.getName();
        }
        if (value instanceof Collection<?> several) {
            List<String> texts =
                    several.stream().map(KafkaConnectionConfiguration::text).toList();
            return texts.stream().collect(Collectors.joining(","));
        }
        return String.valueOf(value);
    }
}
