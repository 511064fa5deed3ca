package dev.waybill.server.config;

import dev.waybill.RetryPolicy;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.jsonschema.RegistryFile;
import dev.waybill.jsonschema.RegistryFileException;
import dev.waybill.registry.EventRegistry;
import dev.waybill.relay.RelayOptions;
import dev.waybill.route.Route;
import dev.waybill.spi.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A relay: from where, to where, and how. */
final class RelayBlock {
    /** What messages look like. */
    enum Form {
        ENVELOPE,
        RAW,
        NOTIFICATION,
        STORED
    }

    private static final RelayOptions DEFAULT = RelayOptions.defaults();

    static final Key<String> STORE = Key.required("store", Scalars.NAME, "The store, by its name in this file.");
    static final Key<String> DESTINATION =
            Key.required("destination", Scalars.NAME, "The destination, by its name in this file.");
    private static final Key<Form> FORMAT = Key.standard(
            "format",
            Scalars.choice(Form.class),
            Scalars.written(Form.RAW),
            "What messages look like: a JSON object around the payload (envelope, notification), or the payload alone"
                    + " (raw, stored).");
    private static final Key<String> SOURCE =
            Key.optional("source", Scalars.TEXT, "The envelope's source: the service the events come from.");
    private static final Key<Section> ROUTE =
            Key.optional("route", RouteBlock.BLOCK, "Where events go; one of its keys. By type unless it is given.");
    private static final Key<NameOr.Choice<Path, Map<String, Object>>> REGISTRY = Key.optional(
            "registry",
            new NameOr<>(Scalars.FILE, new Tree("an event registry with events and limits")),
            "The event types there are: a JSON file, or the same written here. Events that do not fit are not sent.");
    private static final Key<Long> BATCH =
            Key.standard("batch", Scalars.count(), DEFAULT.batch().events(), "How many events one claim brings.");
    private static final Key<Long> BATCH_BYTES = Key.standard(
            "batch-bytes", Scalars.bytes(), DEFAULT.batch().bytes(), "How many bytes of events one claim brings.");
    private static final Key<Long> BATCHES = Key.standard(
            "batches", Scalars.count(), DEFAULT.inFlight().batches(), "So many batches may be out at once …");
    private static final Key<Long> BYTES = Key.standard(
            "bytes", Scalars.bytes(), DEFAULT.inFlight().bytes(), "… and so many bytes of events and messages.");
    private static final Key<Duration> TIMEOUT = Key.standard(
            "timeout",
            Scalars.DURATION,
            Durations.written(DEFAULT.inFlight().timeout()),
            "What gets no answer for so long is called back, and if that fails too the session begins anew. Longer than the"
                    + " destination waits for its broker.");
    private static final Key<Section> IN_FLIGHT = Key.optional(
            "in-flight",
            Block.of(BATCHES, BYTES, TIMEOUT),
            "How much may be out at the destination at once, and for how long.");
    private static final Key<Duration> INTERVAL = Key.standard(
            "interval",
            Scalars.DURATION,
            Durations.written(DEFAULT.poll().interval()),
            "How often it looks soon after an event.");
    private static final Key<Duration> MAX_IDLE = Key.standard(
            "max-idle",
            Scalars.DURATION,
            Durations.written(DEFAULT.poll().maxIdle()),
            "How often it looks after a while without events.");
    private static final Key<Duration> INITIAL_DELAY = Key.standard(
            "initial-delay",
            Scalars.DURATION,
            Durations.written(DEFAULT.poll().initialDelay()),
            "How long it waits after its start before it looks first.");
    private static final Key<Section> POLL = Key.optional(
            "poll", Block.of(INTERVAL, MAX_IDLE, INITIAL_DELAY), "How often it looks when there is nothing to do.");
    private static final Key<Long> RETRIES = Key.standard(
            "retries",
            Scalars.number(0, Integer.MAX_VALUE),
            DEFAULT.retry().retries(),
            "How many sends may follow the first; then the event is dead.");
    private static final Key<Duration> FIRST = Key.standard(
            "first", Scalars.DURATION, Durations.written(DEFAULT.retry().first()), "The wait before the first retry.");
    private static final Key<Double> FACTOR = Key.standard(
            "factor",
            Scalars.DECIMAL,
            DEFAULT.retry().factor(),
            "By how much each wait is longer than the one before.");
    private static final Key<Duration> MAX = Key.standard(
            "max", Scalars.DURATION, Durations.written(DEFAULT.retry().max()), "The longest wait.");
    private static final Key<Section> RETRY =
            Key.optional("retry", Block.of(RETRIES, FIRST, FACTOR, MAX), "When an event that failed is sent again.");
    private static final Key<RelayOptions.OnDead> ON_DEAD = Key.standard(
            "on-dead",
            Scalars.choice(RelayOptions.OnDead.class),
            Scalars.written(DEFAULT.onDead()),
            "Whether later events of the key of a dead one go on, or wait for a person.");
    private static final Key<Duration> LEASE = Key.standard(
            "lease",
            Scalars.DURATION,
            Durations.written(DEFAULT.lease()),
            "How long another process waits before it takes over from one that died.");
    private static final Key<Duration> GRACE = Key.standard(
            "grace", Scalars.DURATION, Durations.written(DEFAULT.grace()), "How long a stop waits for what is out.");
    private static final Key<Long> RATE =
            Key.optional("rate", Scalars.count(), "At most so many events a second; without limit unless it is given.");
    static final Key<Duration> RETENTION = Key.optional(
            "retention",
            Scalars.DURATION,
            "How long published events are kept; for ever unless it is given. It is the store's: relays of one store agree"
                    + " on it.");

    static final Block BLOCK = Block.of(
            STORE,
            DESTINATION,
            FORMAT,
            SOURCE,
            ROUTE,
            REGISTRY,
            BATCH,
            BATCH_BYTES,
            IN_FLIGHT,
            POLL,
            RETRY,
            ON_DEAD,
            LEASE,
            GRACE,
            RATE,
            RETENTION);

    private RelayBlock() {}

    /** How it works, without from where and to where. */
    record Shape(Route route, Format format, RelayOptions options) {}

    /**
     * @throws IllegalArgumentException when it cannot be used; the message says why
     */
    static Shape shape(String name, Section section, HeaderStyle headers) {
        return new Shape(
                RouteBlock.route(section.get(ROUTE), registry(name, section)),
                format(section, headers),
                options(section));
    }

    private static Format format(Section section, HeaderStyle headers) {
        return switch (section.get(FORMAT)) {
            case RAW -> Format.raw(headers);
            case NOTIFICATION -> Format.notification();
            case STORED -> Format.stored();
            case ENVELOPE ->
                Format.envelope(section.find(SOURCE)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "the envelope has no source: give the key source, such as order-service")));
        };
    }

    private static Optional<EventRegistry> registry(String relay, Section section) {
        return section.find(REGISTRY).map(choice -> {
            References references = section.place().findings().references();
            try {
                return choice.itself()
                        .map(tree -> RegistryFile.of(tree, references.resolve(""), "of relay " + relay))
                        .orElseGet(() -> RegistryFile.read(
                                references.resolve(choice.name().orElseThrow().toString())));
            } catch (RegistryFileException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
    }

    private static RelayOptions options(Section section) {
        Section inFlight = section.get(IN_FLIGHT);
        Section poll = section.get(POLL);
        Section retry = section.get(RETRY);
        return new RelayOptions(
                new Limits(section.count(BATCH), section.get(BATCH_BYTES)),
                new RelayOptions.InFlight(inFlight.count(BATCHES), inFlight.get(BYTES), inFlight.get(TIMEOUT)),
                new RelayOptions.Poll(poll.get(INTERVAL), poll.get(MAX_IDLE), poll.get(INITIAL_DELAY)),
                new RetryPolicy(retry.count(RETRIES), retry.get(FIRST), retry.get(FACTOR), retry.get(MAX)),
                section.get(ON_DEAD),
                section.get(LEASE),
                section.get(GRACE),
                section.find(RATE)
                        .map(rate -> OptionalInt.of(Math.toIntExact(rate)))
                        .orElse(OptionalInt.empty()),
                section.find(RETENTION));
    }
}
