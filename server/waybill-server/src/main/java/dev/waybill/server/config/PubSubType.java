package dev.waybill.server.config;

import dev.waybill.admin.BrokerCheckup;
import dev.waybill.format.HeaderStyle;
import dev.waybill.pubsub.PubSubCheckup;
import dev.waybill.pubsub.PubSubDeadLetters;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.server.secrets.CredentialsFile;
import dev.waybill.spi.Destination;
import java.time.Duration;
import java.util.Optional;

/** Google Pub/Sub. */
final class PubSubType implements DestinationType {
    private static final Key<String> PROJECT =
            Key.required("project", Scalars.TEXT, "Where topics are that an event names without a project.");
    private static final Key<String> EMULATOR = Key.optional(
            "emulator",
            Scalars.TEXT,
            "Host and port of Google's emulator, or of another server without TLS and credentials.");
    private static final Key<String> ENDPOINT = Key.standard(
            "endpoint",
            Scalars.TEXT,
            PubSubOptions.ENDPOINT,
            "Host and port; one of a region keeps the order of a key when several regions publish.");
    private static final Key<String> CREDENTIALS = Key.optional(
            "credentials",
            Scalars.TEXT.called("the name of a file"),
            "The key file of a service account; else what the environment offers.");
    private static final Key<Duration> DELIVERY_TIMEOUT = Key.standard(
            "delivery-timeout",
            Scalars.DURATION,
            Durations.written(PubSubOptions.DELIVERY_TIMEOUT),
            "How long Pub/Sub may take to acknowledge before it counts as unavailable.");
    private static final Key<Long> REQUESTS = Key.standard(
            "requests", Scalars.count(), PubSubOptions.IN_FLIGHT.requests(), "So many requests may be out at once …");
    private static final Key<Long> BYTES =
            Key.standard("bytes", Scalars.bytes(), PubSubOptions.IN_FLIGHT.bytes(), "… and so many bytes.");
    private static final Key<Section> IN_FLIGHT =
            Key.optional("in-flight", Block.of(REQUESTS, BYTES), "How much may be out at once.");
    private static final Block BLOCK = Block.of(PROJECT, EMULATOR, ENDPOINT, CREDENTIALS, DELIVERY_TIMEOUT, IN_FLIGHT);

    @Override
    public String name() {
        return "pubsub";
    }

    @Override
    public String doc() {
        return "Google Pub/Sub, or its emulator.";
    }

    @Override
    public Block block() {
        return BLOCK;
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.ATTRIBUTES;
    }

    @Override
    public Broker read(Section section) {
        if (section.find(EMULATOR).isPresent() && section.find(CREDENTIALS).isPresent()) {
            throw new IllegalArgumentException("emulator and credentials are both given: the emulator takes none");
        }
        Section inFlight = section.get(IN_FLIGHT);
        PubSubOptions options = new PubSubOptions(
                section.get(PROJECT),
                access(section),
                section.get(DELIVERY_TIMEOUT),
                new PubSubOptions.InFlight(inFlight.count(REQUESTS), inFlight.get(BYTES)));
        return new PubSub(options);
    }

    private static PubSubOptions.Access access(Section section) {
        section.find(CREDENTIALS)
                .map(section.place().findings().references()::resolve)
                .ifPresent(file -> section.place().findings().secrets().addAll(CredentialsFile.secretsIn(file)));
        Optional<PubSubOptions.Access> emulator = section.find(EMULATOR).map(PubSubOptions.Emulator::new);
        Optional<PubSubOptions.Access> file = section.find(CREDENTIALS)
                .map(name -> new PubSubOptions.CredentialsFile(
                        section.place().findings().references().resolve(name), section.get(ENDPOINT)));
        return emulator.or(() -> file).orElseGet(() -> new PubSubOptions.ApplicationDefault(section.get(ENDPOINT)));
    }

    private record PubSub(PubSubOptions options) implements Broker {
        @Override
        public Destination connect() {
            return PubSubDestination.connect(options);
        }

        @Override
        public Optional<OpenDeadLetters> openDeadLetters() {
            PubSubDeadLetters letters = PubSubDeadLetters.connect(options);
            return Optional.of(new OpenDeadLetters(letters, letters::close));
        }

        @Override
        public BrokerCheckup checkup() {
            return PubSubCheckup.of(options);
        }
    }
}
