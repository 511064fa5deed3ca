package dev.waybill.server.config;

import dev.waybill.admin.BrokerCheckup;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.server.config.DestinationType.Broker;
import dev.waybill.server.config.DestinationType.OpenDeadLetters;
import dev.waybill.server.config.StoreType.OpenStore;
import dev.waybill.server.secrets.ScrubbedDestination;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The stores, destinations and relays of a configuration file. Connections are opened when they are first
 * needed, and closed with it. Safe for use by many threads.
 *
 * <pre>{@code
 * try (Installation installation = Installation.read(Path.of("waybill.yaml"))) {
 *     installation.admin("orders").relays();
 *     installation.plan("orders-to-kafka").start();
 * }
 * }</pre>
 */
public final class Installation implements AutoCloseable {
    private final ConfiguredParts parts;
    private final Object shown;
    private final Secrets secrets;
    private final Map<String, OpenStore> stores = new LinkedHashMap<>();
    private final Map<String, DeadLetterBox> deadLetters = new LinkedHashMap<>();
    private final Deque<Runnable> closing = new ArrayDeque<>();

    private Installation(ConfiguredParts parts, Object shown, Secrets secrets) {
        this.parts = parts;
        this.shown = shown;
        this.secrets = secrets;
    }

    /**
     * @throws ConfigurationException if something in the file is wrong; the message lists all of it
     */
    public static Installation read(Path file) {
        return read(file, new Secrets());
    }

    /**
     * @param secrets receives the secrets of the file, even if the file has mistakes
     * @throws ConfigurationException if something in the file is wrong; the message lists all of it
     */
    public static Installation read(Path file, Secrets secrets) {
        return read(file, System::getenv, secrets);
    }

    /** With the given environment variables. */
    static Installation read(Path file, Function<String, @Nullable String> environment, Secrets secrets) {
        ConfigurationFile read = ConfigurationFile.read(file, environment, secrets);
        ConfiguredParts parts = ConfiguredParts.of(read.root().map(SchemaReader.Result::section));
        read.requireSound();
        return new Installation(parts, read.root().orElseThrow().shown(), secrets);
    }

    public Set<String> stores() {
        return parts.stores().keySet();
    }

    public Set<String> destinations() {
        return parts.brokers().keySet();
    }

    public Set<String> relays() {
        return parts.relays().keySet();
    }

    /** Relays that read this store, in the order of the file. */
    public Set<String> relaysOf(String store) {
        Set<String> names = new LinkedHashSet<>();
        parts.relays().forEach((name, relay) -> {
            if (relay.store().equals(store)) {
                names.add(name);
            }
        });
        return names;
    }

    public String storeOf(String relay) {
        return named(parts.relays(), "relay", relay).store();
    }

    public String destinationOf(String relay) {
        return named(parts.relays(), "relay", relay).destination();
    }

    public EventStore store(String name) {
        return open(name).events();
    }

    public StoreAdmin admin(String store) {
        return open(store).admin();
    }

    /** Empty if the store has no replays. */
    public Optional<ReplayAdmin> replays(String store) {
        return open(store).replays();
    }

    /**
     * Creates what the store needs in its database and does not have.
     *
     * @return a description of what exists now
     */
    public String init(String store) throws SQLException {
        return open(store).schema().create();
    }

    /** A new connection for one relay, closed with this installation. */
    public synchronized Destination connect(String destination) {
        Destination connected =
                ScrubbedDestination.of(broker(destination).connecting().get(), secrets);
        closing.push(connected::close);
        return connected;
    }

    /** The dead letters of a destination's consumers. */
    public synchronized DeadLetterBox deadLetters(String destination) {
        return deadLetters.computeIfAbsent(destination, name -> {
            OpenDeadLetters open = broker(name).openingDeadLetters().get();
            closing.push(open.closing());
            return open.box();
        });
    }

    /** The dead-letter topics that the configuration names, in addition to those the broker lists. */
    public Set<String> deadLetterTopics(String destination) {
        return broker(destination).deadLetterTopics();
    }

    /** Whether a topic is known to have dead letters: by its name, or because the configuration names it. */
    public boolean isDeadLetterTopic(String destination, String topic) {
        return topic.endsWith(DeadLetterBox.SUFFIX)
                || deadLetterTopics(destination).contains(topic);
    }

    /**
     * Counts letters in the dead-letter topics that the configuration names, that the broker lists, and that consumers of these
     * topics use by default.
     *
     * @param origins topics that consumers may read
     * @param atMost maximum number of letters that are read in each topic
     */
    public List<DeadLetterCount> countDeadLetters(String destination, Set<String> origins, int atMost) {
        DeadLetterBox box = deadLetters(destination);
        Set<String> topics = new TreeSet<>(deadLetterTopics(destination));
        topics.addAll(box.topics());
        origins.forEach(topic -> topics.add(topic + DeadLetterBox.SUFFIX));
        return box.count(topics, atMost);
    }

    /** Whether dead letters can be counted without withholding them from others for a while. */
    public boolean countsDeadLettersFreely(String destination) {
        return broker(destination).countsFreely();
    }

    /** Examines a destination. */
    public BrokerCheckup checkup(String destination) {
        return broker(destination).examining().get();
    }

    /** Where a relay's events go. */
    public Route route(String relay) {
        return named(parts.relays(), "relay", relay).route();
    }

    /** The settings of a relay, with those of its store's preset. */
    public RelayOptions options(String relay) {
        return named(parts.relays(), "relay", relay).options();
    }

    /** Whether the relay's destination commits its position together with the messages. */
    public boolean deliversExactlyOnce(String relay) {
        return named(parts.relays(), "relay", relay).transactions().isPresent();
    }

    /** A relay of the file, with a new connection to its destination. */
    public RelayPlan plan(String relay) {
        ConfiguredRelay configured = named(parts.relays(), "relay", relay);
        RelayPlan plan = Relay.named(relay)
                .from(store(configured.store()))
                .to(connect(configured.destination()))
                .route(configured.route())
                .format(configured.format())
                .options(configured.options());
        return configured.transactions().map(plan::exactlyOnce).orElse(plan);
    }

    /** What the relay's destination is called in traces: the value of {@code messaging.system}. */
    public String messagingSystem(String relay) {
        String destination = named(parts.relays(), "relay", relay).destination();
        return named(parts.messagingSystems(), "destination", destination);
    }

    /** What the process serves over HTTP. */
    public Serving serving() {
        return parts.serving();
    }

    /** The effective configuration as YAML: with all defaults, references expanded, and without secrets. */
    public String text() {
        return YamlText.of(shown, secrets);
    }

    /** The same for one relay. */
    public String relayText(String relay) {
        named(parts.relays(), "relay", relay);
        Object relays = shown instanceof Map<?, ?> all ? all.get("relays") : null;
        Object one = relays instanceof Map<?, ?> named ? named.get(relay) : null;
        return one == null ? "" : YamlText.of(one, secrets);
    }

    /** Texts that must not be shown to anyone. */
    public Secrets secrets() {
        return secrets;
    }

    private synchronized OpenStore open(String store) {
        return stores.computeIfAbsent(store, name -> {
            OpenStore opened = named(parts.stores(), "store", name).get();
            closing.push(opened.closing());
            return opened;
        });
    }

    private Broker broker(String destination) {
        return named(parts.brokers(), "destination", destination);
    }

    private static <T> T named(Map<String, T> all, String what, String name) {
        T found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "The " + what + " \"" + name + "\" " + Nearest.unknown(name, all.keySet()));
        }
        return found;
    }

    /** Closes what was opened, the latest first. Close relays before. */
    @Override
    public synchronized void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
        stores.clear();
        deadLetters.clear();
    }
}
