package dev.waybill.spring.boot.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A broker.
 *
 * @param type The kind. Required.
 * @param properties Kafka's own producer properties. Default: those of Spring Boot's connection.
 * @param deliveryTimeout How long Kafka or Pub/Sub may take to acknowledge before it counts as unavailable.
 * @param topicTimeout How long to look for a topic of Kafka before it counts as missing.
 * @param positionsTopic The compacted topic of Kafka with the positions of relays that deliver exactly once. It is created if it does
 *     not exist.
 * @param uri Address of RabbitMQ: amqp://user@host:5672/vhost, or amqps:// for TLS. Default: Spring Boot's connection.
 * @param user Overrides the user in the uri.
 * @param password Overrides the password in the uri.
 * @param exchange The exchange of messages, with the topic as routing key. For the default exchange, that is the name of a queue.
 * @param exchanges Topics that go to another exchange.
 * @param tls Trusted authorities and the client certificate, with amqps://.
 * @param topology Exchanges, queues and bindings to declare when connecting. Default: none.
 * @param maxMessageBytes The largest body that is sent to RabbitMQ.
 * @param confirmTimeout How long RabbitMQ may take to confirm, or block publishers, before it counts as unavailable.
 * @param connectTimeout How long connecting to RabbitMQ, and any request to it, may take.
 * @param project The project of Pub/Sub topics that are named without one.
 * @param emulator Host and port of Pub/Sub's emulator, or of another server without TLS and credentials.
 * @param endpoint Host and port of Pub/Sub. A regional endpoint keeps the order of a key when several regions publish.
 * @param credentials The key file of a service account of Pub/Sub. Default: the credentials of the environment.
 * @param inFlight Limits of what is in flight to Pub/Sub.
 * @param deadLetters Dead-letter topics or queues that are counted, in addition to those whose names end in .dlt.
 */
public record DestinationProperties(
        @Nullable DestinationType type,
        @DefaultValue Map<String, String> properties,
        @DefaultValue("30s") Duration deliveryTimeout,
        @DefaultValue("1s") Duration topicTimeout,
        @DefaultValue("waybill-positions") String positionsTopic,
        @Nullable String uri,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue("") String exchange,
        @DefaultValue Map<String, String> exchanges,
        @DefaultValue Tls tls,
        @DefaultValue Topology topology,
        @DefaultValue("16777216") long maxMessageBytes,
        @DefaultValue("30s") Duration confirmTimeout,
        @DefaultValue("5s") Duration connectTimeout,
        @Nullable String project,
        @Nullable String emulator,
        @DefaultValue("pubsub.googleapis.com:443") String endpoint,
        @Nullable String credentials,
        @DefaultValue InFlight inFlight,
        @DefaultValue List<String> deadLetters) {

    /** The kinds of brokers. */
    public enum DestinationType {
        KAFKA,
        RABBITMQ,
        PUBSUB
    }

    /**
     * Trusted authorities and the client certificate.
     *
     * @param trustedCertificates A PEM file of the trusted authorities, instead of the machine's own.
     * @param keyStore A PKCS#12 file with the client's certificate and key.
     * @param keyStorePassword The password of the key store.
     */
    public record Tls(
            @Nullable String trustedCertificates,
            @Nullable String keyStore,
            @Nullable String keyStorePassword) {
        /** Without the password. */
        @Override
        public String toString() {
            return "Tls[" + trustedCertificates + ", " + keyStore + "]";
        }
    }

    /**
     * What to declare at RabbitMQ.
     *
     * @param exchanges Exchanges with their types: direct, fanout, topic, headers, or one of a plugin.
     * @param queues Queues by name.
     * @param bindings Which queue gets which messages.
     */
    public record Topology(
            @DefaultValue Map<String, String> exchanges,
            @DefaultValue Map<String, Queue> queues,
            @DefaultValue List<Binding> bindings) {}

    /**
     * A queue.
     *
     * @param arguments RabbitMQ's own arguments, for example x-queue-type=quorum.
     */
    public record Queue(@DefaultValue Map<String, Object> arguments) {}

    /**
     * A binding.
     *
     * @param queue The queue.
     * @param exchange The exchange it gets messages from.
     * @param key The routing key.
     */
    public record Binding(
            @Nullable String queue,
            @Nullable String exchange,
            @DefaultValue("") String key) {}

    /**
     * Limits of what is in flight to Pub/Sub.
     *
     * @param requests Requests in flight at most …
     * @param bytes … and bytes in flight at most.
     */
    public record InFlight(
            @DefaultValue("100") int requests,
            @DefaultValue("64000000") long bytes) {}

    /** Without addresses, passwords and properties. */
    @Override
    public String toString() {
        return "DestinationProperties[type=" + type + "]";
    }
}
