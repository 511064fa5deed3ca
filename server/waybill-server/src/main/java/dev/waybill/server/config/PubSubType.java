package dev.waybill.server.config;

import dev.waybill.format.HeaderStyle;
import dev.waybill.pubsub.PubSubCheckup;
import dev.waybill.pubsub.PubSubDeadLetters;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.server.secrets.CredentialsFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Google Pub/Sub. */
final class PubSubType implements DestinationType {
    @Override
    public String name() {
        return "pubsub";
    }

    @Override
    public String messagingSystem() {
        return "gcp_pubsub";
    }

    @Override
    public boolean hasTransactions() {
        return false;
    }

    @Override
    public HeaderStyle headers() {
        return HeaderStyle.ATTRIBUTES;
    }

    @Override
    public Broker read(Section section) {
        if (section.findText("emulator").isPresent()
                && section.findText("credentials").isPresent()) {
            throw new IllegalArgumentException(
                    "emulator and credentials are both given: the emulator needs no credentials, so remove one");
        }
        Section inFlight = section.section("in-flight");
        PubSubOptions options = new PubSubOptions(
                section.text("project"),
                access(section),
                section.duration("delivery-timeout"),
                new PubSubOptions.InFlight(inFlight.count("requests"), inFlight.get("bytes", Long.class)));
        return new Broker(
                () -> PubSubDestination.of(options),
                () -> {
                    PubSubDeadLetters letters = PubSubDeadLetters.of(options);
                    return new OpenDeadLetters(letters, letters::close);
                },
                Set.copyOf(section.list("dead-letters")),
                () -> PubSubCheckup.of(options),
                false);
    }

    private static PubSubOptions.Access access(Section section) {
        String endpoint = section.text("endpoint");
        Optional<Path> credentials = section.file("credentials");
        credentials.ifPresent(file -> section.place().findings().secrets().addAll(CredentialsFile.secretsIn(file)));
        return section.findText("emulator")
                .<PubSubOptions.Access>map(PubSubOptions.Emulator::new)
                .or(() -> credentials.map(file -> new PubSubOptions.CredentialsFile(file, endpoint)))
                .orElseGet(() -> new PubSubOptions.ApplicationDefault(endpoint));
    }
}
