package dev.waybill.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to reach RabbitMQ, where messages go, and how long to wait.
 *
 * @param uri {@code amqp://user:password@host:5672/vhost}, or {@code amqps://} for TLS; without a vhost the default one, "/"
 * @param credentials override those of the uri
 * @param tls trusted certificates and the client's own; only with {@code amqps://}. Default: the machine's trusted
 *     certificates. The server's name is always checked.
 * @param exchange of messages, with the topic as routing key; for the default exchange "" that is the name of a queue
 * @param exchangeByTopic topics with another exchange
 * @param topology what is declared when connecting; default: nothing
 * @param maxMessageBytes size of the largest body that is sent; by default RabbitMQ 4 accepts 16 MiB
 * @param confirmTimeout how long RabbitMQ may take to confirm before it counts as unavailable as a whole; also how long it
 *     may block publishers
 * @param connectTimeout how long connecting, and any request to the broker, may take
 */
public record RabbitOptions(
        String uri,
        Optional<Credentials> credentials,
        Optional<RabbitTls> tls,
        String exchange,
        Map<String, String> exchangeByTopic,
        Topology topology,
        long maxMessageBytes,
        Duration confirmTimeout,
        Duration connectTimeout) {

    public static final long MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
    public static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(30);
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** User and password. */
    public record Credentials(String user, String password) {
        @Override
        public String toString() {
            return "Credentials[" + user + "]";
        }
    }

    /**
     * @throws IllegalArgumentException when options are invalid; the message lists all of them
     */
    public RabbitOptions {
        exchangeByTopic = Map.copyOf(exchangeByTopic);
        List<String> problems = new ArrayList<>(BrokerAddress.problemsOf(uri));
        if (problems.isEmpty() && tls.isPresent() && !BrokerAddress.parse(uri).tls()) {
            problems.add("tls is set, but the uri does not begin with amqps://");
        }
        if (maxMessageBytes < 1) {
            problems.add("maxMessageBytes is " + maxMessageBytes + ": use at least 1");
        }
        tooShort("confirmTimeout", confirmTimeout).ifPresent(problems::add);
        tooShort("connectTimeout", connectTimeout).ifPresent(problems::add);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "The RabbitMQ options are not valid: " + String.join("; ", problems) + ".");
        }
    }

    private static Optional<String> tooShort(String name, Duration time) {
        return time.toMillis() < 100 || time.toMillis() > Integer.MAX_VALUE
                ? Optional.of(name + " is " + time.toMillis() + " ms: use 100 ms to 24 days")
                : Optional.empty();
    }

    /** Uses the default exchange, where the topic is the name of a queue. */
    public static RabbitOptions of(String uri) {
        return new RabbitOptions(
                uri,
                Optional.empty(),
                Optional.empty(),
                "",
                Map.of(),
                Topology.NONE,
                MAX_MESSAGE_BYTES,
                CONFIRM_TIMEOUT,
                CONNECT_TIMEOUT);
    }

    /**
     * The connection factory, for programs that connect to the same broker in the same way.
     *
     * @throws IOException when a certificate or key cannot be read
     * @throws GeneralSecurityException when a certificate or key cannot be used
     */
    public ConnectionFactory connectionFactory() throws IOException, GeneralSecurityException {
        return new Connector(this).factory();
    }

    String exchangeOf(String topic) {
        return exchangeByTopic.getOrDefault(topic, exchange);
    }

    BrokerAddress address() {
        return BrokerAddress.parse(uri);
    }

    public RabbitOptions credentials(String user, String password) {
        return new RabbitOptions(
                uri,
                Optional.of(new Credentials(user, password)),
                tls,
                exchange,
                exchangeByTopic,
                topology,
                maxMessageBytes,
                confirmTimeout,
                connectTimeout);
    }

    public RabbitOptions tls(RabbitTls value) {
        return new RabbitOptions(
                uri,
                credentials,
                Optional.of(value),
                exchange,
                exchangeByTopic,
                topology,
                maxMessageBytes,
                confirmTimeout,
                connectTimeout);
    }

    public RabbitOptions exchange(String value) {
        return new RabbitOptions(
                uri,
                credentials,
                tls,
                value,
                exchangeByTopic,
                topology,
                maxMessageBytes,
                confirmTimeout,
                connectTimeout);
    }

    public RabbitOptions exchangeByTopic(Map<String, String> value) {
        return new RabbitOptions(
                uri, credentials, tls, exchange, value, topology, maxMessageBytes, confirmTimeout, connectTimeout);
    }

    public RabbitOptions topology(Topology value) {
        return new RabbitOptions(
                uri,
                credentials,
                tls,
                exchange,
                exchangeByTopic,
                value,
                maxMessageBytes,
                confirmTimeout,
                connectTimeout);
    }

    public RabbitOptions maxMessageBytes(long value) {
        return new RabbitOptions(
                uri, credentials, tls, exchange, exchangeByTopic, topology, value, confirmTimeout, connectTimeout);
    }

    public RabbitOptions confirmTimeout(Duration value) {
        return new RabbitOptions(
                uri, credentials, tls, exchange, exchangeByTopic, topology, maxMessageBytes, value, connectTimeout);
    }

    public RabbitOptions connectTimeout(Duration value) {
        return new RabbitOptions(
                uri, credentials, tls, exchange, exchangeByTopic, topology, maxMessageBytes, confirmTimeout, value);
    }

    /** Without credentials. */
    @Override
    public String toString() {
        return "RabbitOptions[" + address() + ", exchange \"" + exchange + "\", " + exchangeByTopic.size()
                + " topics elsewhere, confirm timeout " + confirmTimeout.toMillis() + " ms, connect timeout "
                + connectTimeout.toMillis() + " ms]";
    }
}
