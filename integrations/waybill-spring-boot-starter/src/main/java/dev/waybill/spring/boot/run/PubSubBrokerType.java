package dev.waybill.spring.boot.run;

import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.spring.boot.properties.DestinationProperties;
import dev.waybill.spring.boot.properties.DestinationProperties.DestinationType;
import java.nio.file.Path;

/** Google Pub/Sub. Spring Boot has no connection to it. */
final class PubSubBrokerType implements BrokerType {
    @Override
    public DestinationType type() {
        return DestinationType.PUBSUB;
    }

    @Override
    public String name() {
        return "pubsub";
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    @Override
    public Broker broker(DestinationProperties given) {
        if (given.project() == null) {
            throw new IllegalArgumentException("it has no project: give the project of the topics");
        }
        if (given.emulator() != null && given.credentials() != null) {
            throw new IllegalArgumentException(
                    "emulator and credentials are both given: the emulator needs no credentials, so remove one");
        }
        return new PubSubBroker(new PubSubOptions(
                given.project(),
                access(given),
                given.deliveryTimeout(),
                new PubSubOptions.InFlight(
                        given.inFlight().requests(), given.inFlight().bytes())));
    }

    private static PubSubOptions.Access access(DestinationProperties given) {
        if (given.emulator() != null) {
            return new PubSubOptions.Emulator(given.emulator());
        }
        return given.credentials() == null
                ? new PubSubOptions.ApplicationDefault(given.endpoint())
                : new PubSubOptions.CredentialsFile(Path.of(given.credentials()), given.endpoint());
    }
}
