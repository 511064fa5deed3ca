package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The Java of the page on Pub/Sub, run. */
class PubSubExamplesTest {
    private final InMemoryOutbox outbox = new InMemoryOutbox();

    @Test
    void credentials_come_from_a_file() {
        // snippet: pubsub-credentials
        PubSubOptions options = PubSubOptions.of("my-project").withCredentials(Path.of("/run/secrets/pubsub.json"));
        // end
        assertThat(options.access())
                .isEqualTo(
                        new PubSubOptions.CredentialsFile(Path.of("/run/secrets/pubsub.json"), PubSubOptions.ENDPOINT));
    }

    @Test
    void a_relay_publishes_to_the_emulator() throws Exception {
        Optional<PubSubEmulator> installed = PubSubEmulator.startIfInstalled();
        Assumptions.assumeTrue(installed.isPresent(), "Google's Pub/Sub emulator is not installed here");
        try (PubSubEmulator emulator = installed.get()) {
            String address = emulator.address();
            put("http://" + address + "/v1/projects/demo/topics/pf-domain-events");
            append();
            EventStore store = outbox.store();
            // snippet: pubsub-emulator
            PubSubDestination pubsub =
                    PubSubDestination.connect(PubSubOptions.of("demo").withEmulator(address));
            Relay relay = Relay.start(RelayPlan.named("licenses-to-pubsub")
                    .from(store)
                    .to(pubsub)
                    .route(Route.fixed("pf-domain-events"))
                    .format(Format.raw(HeaderStyle.ATTRIBUTES)));
            // end
            try (pubsub;
                    relay) {
                awaitPublished(relay);
            }
        }
    }

    private void append() {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(
                    transaction,
                    Event.of("license_status_changed")
                            .aggregate("license", "1")
                            .payload(Payload.json("{}"))
                            .build());
            transaction.commit();
        }
    }

    private static void put(String uri) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static void awaitPublished(Relay relay) {
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (relay.statistics().published() == 0) {
            assertThat(System.nanoTime())
                    .as("nothing was published in a minute")
                    .isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
