package dev.waybill.spring.boot.run;

import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitTls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.amqp.autoconfigure.RabbitProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.ssl.JksSslBundleProperties;
import org.springframework.boot.autoconfigure.ssl.PropertiesSslBundle;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Spring Boot's connection to RabbitMQ: {@code spring.rabbitmq.*}, or the details that a test or a container gives. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RabbitConnectionDetails.class, RabbitOptions.class})
class RabbitConnectionConfiguration {
    private static final Logger log = LoggerFactory.getLogger(RabbitConnectionConfiguration.class);

    @Bean
    @ConditionalOnBean({RabbitConnectionDetails.class, RabbitProperties.class})
    RabbitBrokerType.Connection waybillRabbitConnection(RabbitConnectionDetails details, RabbitProperties properties) {
        int others = details.getAddresses().size() - 1;
        if (others > 0) {
            log.warn(
                    "RabbitMQ has {} more addresses, which Waybill does not use: relays and consumers connect to {}. Use a"
                            + " name that leads to any node.",
                    others,
                    details.getFirstAddress());
        }
        boolean tls = details.getSslBundle() != null || properties.getSsl().determineEnabled();
        RabbitConnectionDetails.Address address = details.getFirstAddress();
        return new RabbitBrokerType.Connection(
                (tls ? "amqps" : "amqp") + "://" + address.host() + ":" + address.port() + virtualHost(details),
                details.getUsername() == null
                        ? Optional.empty()
                        : Optional.of(new RabbitOptions.Credentials(
                                details.getUsername(), Objects.requireNonNullElse(details.getPassword(), ""))),
                bundle(details, properties.getSsl()).map(bundle -> RabbitTls.of(bundle::createSslContext)));
    }

    private static String virtualHost(RabbitConnectionDetails details) {
        String name = details.getVirtualHost();
        return name == null || name.equals("/")
                ? ""
                : "/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Spring Boot has no bundle for stores that are named in {@code spring.rabbitmq.ssl.*}. */
    private static Optional<SslBundle> bundle(RabbitConnectionDetails details, RabbitProperties.Ssl ssl) {
        if (details.getSslBundle() != null) {
            return Optional.of(details.getSslBundle());
        }
        if (!ssl.determineEnabled() || (ssl.getKeyStore() == null && ssl.getTrustStore() == null)) {
            return Optional.empty();
        }
        JksSslBundleProperties stores = new JksSslBundleProperties();
        set(stores.getKeystore(), ssl.getKeyStore(), ssl.getKeyStoreType(), ssl.getKeyStorePassword());
        set(stores.getTruststore(), ssl.getTrustStore(), ssl.getTrustStoreType(), ssl.getTrustStorePassword());
        return Optional.of(PropertiesSslBundle.get(stores));
    }

    private static void set(
            JksSslBundleProperties.Store store,
            @Nullable String location,
            @Nullable String type,
            @Nullable String password) {
        if (location != null) {
            store.setLocation(location);
            store.setType(type);
            store.setPassword(password);
        }
    }
}
