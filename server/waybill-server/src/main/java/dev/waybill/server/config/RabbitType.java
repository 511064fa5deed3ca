package dev.waybill.server.config;

import dev.waybill.admin.BrokerCheckup;
import dev.waybill.format.HeaderStyle;
import dev.waybill.rabbitmq.RabbitCheckup;
import dev.waybill.rabbitmq.RabbitDeadLetters;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitTls;
import dev.waybill.spi.Destination;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** RabbitMQ. */
final class RabbitType implements DestinationType {
    private static final Key<String> URI = Key.required(
            "uri",
            Scalars.TEXT.hiding(Hiding.CREDENTIALS).called("an address, such as amqp://user@host:5672/vhost"),
            "`amqp://user:password@host:5672/vhost`, or `amqps://` for TLS.");
    private static final Key<String> USER = Key.optional("user", Scalars.TEXT, "Wins over the uri's.");
    private static final Key<String> PASSWORD = Key.optional("password", Scalars.SECRET, "Wins over the uri's.");
    private static final Key<String> EXCHANGE = Key.standard(
            "exchange",
            Scalars.ANY_TEXT,
            "",
            "Where messages go, with the topic as their routing key. The default exchange takes the name of a queue.");
    private static final Key<Map<String, String>> EXCHANGES =
            Key.optional("exchanges", new Texts("exchanges by topic"), "Topics that go to another exchange.");
    private static final Key<Long> MAX_MESSAGE_BYTES = Key.standard(
            "max-message-bytes", Scalars.bytes(), RabbitOptions.MAX_MESSAGE_BYTES, "The largest body that is sent.");
    private static final Key<Duration> CONFIRM_TIMEOUT = Key.standard(
            "confirm-timeout",
            Scalars.DURATION,
            Durations.written(RabbitOptions.CONFIRM_TIMEOUT),
            "How long RabbitMQ may take to confirm, or block publishers, before it counts as unavailable.");
    private static final Key<Duration> CONNECT_TIMEOUT = Key.standard(
            "connect-timeout",
            Scalars.DURATION,
            Durations.written(RabbitOptions.CONNECT_TIMEOUT),
            "How long connecting, and any question to the broker, may take.");
    private static final Key<String> TRUST = Key.optional(
            "trusted-certificates",
            Scalars.TEXT.called("the name of a file"),
            "A PEM file of the authorities that are trusted, instead of the machine's own.");
    private static final Key<String> KEY_STORE = Key.optional(
            "key-store", Scalars.TEXT.called("the name of a file"), "A PKCS#12 file with our own certificate and key.");
    private static final Key<String> KEY_STORE_PASSWORD =
            Key.optional("key-store-password", Scalars.SECRET, "Of the key store.");
    private static final Key<Section> TLS = Key.optional(
            "tls", Block.of(TRUST, KEY_STORE, KEY_STORE_PASSWORD), "Whom to trust, and who we are; with `amqps://`.");
    private static final Key<Section> TOPOLOGY = Key.optional(
            "topology", TopologyBlock.BLOCK, "What is declared when connecting; nothing unless it is given.");
    private static final Block BLOCK = Block.of(
            URI,
            USER,
            PASSWORD,
            EXCHANGE,
            EXCHANGES,
            TLS,
            TOPOLOGY,
            MAX_MESSAGE_BYTES,
            CONFIRM_TIMEOUT,
            CONNECT_TIMEOUT);

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public String doc() {
        return "RabbitMQ.";
    }

    @Override
    public Block block() {
        return BLOCK;
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.HYPHENS;
    }

    @Override
    public Broker read(Section section) {
        if (section.find(USER).isPresent() != section.find(PASSWORD).isPresent()) {
            throw new IllegalArgumentException("user and password go together: give both, or neither");
        }
        return new Rabbit(new RabbitOptions(
                section.get(URI),
                section.find(USER).map(user -> new RabbitOptions.Credentials(user, section.get(PASSWORD))),
                tls(section.get(TLS)),
                section.get(EXCHANGE),
                section.find(EXCHANGES).orElse(Map.of()),
                TopologyBlock.topology(section.get(TOPOLOGY)),
                section.get(MAX_MESSAGE_BYTES),
                section.get(CONFIRM_TIMEOUT),
                section.get(CONNECT_TIMEOUT)));
    }

    private static Optional<RabbitTls> tls(Section section) {
        Optional<Path> trust = file(section, TRUST);
        Optional<Path> keys = file(section, KEY_STORE);
        return trust.isEmpty() && keys.isEmpty()
                ? Optional.empty()
                : Optional.of(new RabbitTls(
                        trust, keys, section.find(KEY_STORE_PASSWORD).orElse("")));
    }

    private static Optional<Path> file(Section section, Key<String> key) {
        return section.find(key).map(section.place().findings().references()::resolve);
    }

    private record Rabbit(RabbitOptions options) implements Broker {
        @Override
        public Destination connect() {
            return RabbitDestination.connect(options);
        }

        @Override
        public Optional<OpenDeadLetters> openDeadLetters() {
            RabbitDeadLetters letters = RabbitDeadLetters.connect(options);
            return Optional.of(new OpenDeadLetters(letters, letters::close));
        }

        @Override
        public BrokerCheckup checkup() {
            return RabbitCheckup.of(options);
        }
    }
}
