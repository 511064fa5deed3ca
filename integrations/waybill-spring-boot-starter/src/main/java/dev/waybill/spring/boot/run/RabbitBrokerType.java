package dev.waybill.spring.boot.run;

import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitTls;
import dev.waybill.rabbitmq.Topology;
import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.DestinationProperties.Binding;
import dev.waybill.spring.boot.properties.DestinationProperties.DestinationType;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** RabbitMQ, over the connection of Spring Boot or over the uri of a destination. */
final class RabbitBrokerType implements BrokerType {
    private final Optional<Connection> connection;

    RabbitBrokerType(Optional<Connection> connection) {
        this.connection = connection;
    }

    /** Spring Boot's connection. */
    record Connection(String uri, Optional<RabbitOptions.Credentials> credentials, Optional<RabbitTls> tls) {}

    @Override
    public DestinationType type() {
        return DestinationType.RABBITMQ;
    }

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public boolean isConnected() {
        return connection.isPresent();
    }

    @Override
    public Broker broker(DestinationProperties given) {
        Connection base = Optional.ofNullable(given.uri())
                .map(uri -> new Connection(uri, credentials(given), tls(given.tls())))
                .or(() -> connection)
                .orElseThrow(() -> new IllegalArgumentException(
                        "it has no uri, and Spring Boot has no connection to RabbitMQ: set it, or add the module"
                                + " spring-boot-amqp and set spring.rabbitmq.host"));
        return new RabbitBroker(new RabbitOptions(
                base.uri(),
                base.credentials(),
                base.tls(),
                given.exchange(),
                given.exchanges(),
                topology(given.topology()),
                given.maxMessageBytes(),
                given.confirmTimeout(),
                given.connectTimeout()));
    }

    private static Optional<RabbitOptions.Credentials> credentials(DestinationProperties given) {
        if ((given.user() == null) != (given.password() == null)) {
            throw new IllegalArgumentException("user and password go together: give both, or neither");
        }
        return Optional.ofNullable(given.user())
                .map(user -> new RabbitOptions.Credentials(user, Objects.requireNonNull(given.password())));
    }

    private static Optional<RabbitTls> tls(DestinationProperties.Tls given) {
        return given.trustedCertificates() == null && given.keyStore() == null
                ? Optional.empty()
                : Optional.of(new RabbitTls(
                        Optional.ofNullable(given.trustedCertificates()).map(Path::of),
                        Optional.ofNullable(given.keyStore()).map(Path::of),
                        Objects.requireNonNullElse(given.keyStorePassword(), "")));
    }

    private static Topology topology(DestinationProperties.Topology given) {
        Topology topology = Topology.NONE;
        for (Map.Entry<String, String> exchange : given.exchanges().entrySet()) {
            topology = topology.exchange(exchange.getKey(), exchange.getValue());
        }
        for (Map.Entry<String, DestinationProperties.Queue> queue :
                given.queues().entrySet()) {
            topology = topology.queue(queue.getKey(), queue.getValue().arguments());
        }
        for (Binding binding : given.bindings()) {
            if (binding.queue() == null || binding.exchange() == null) {
                throw new IllegalArgumentException("a binding of its topology has no queue or no exchange: give both");
            }
            topology = topology.binding(binding.queue(), binding.exchange(), binding.key());
        }
        return topology;
    }
}
