package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.inbox.SendBack;
import dev.waybill.pubsub.PubSubDeadLetters;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.relay.Relay;
import dev.waybill.route.Route;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Runs the Java examples of the Pub/Sub page. */
class PubSubExamplesTest {
    private final InMemoryOutbox outbox = new InMemoryOutbox();

    @Test
    void credentials_come_from_a_file() {
        // snippet: pubsub-credentials
        PubSubOptions options = PubSubOptions.of("my-project").credentials(Path.of("/run/secrets/pubsub.json"));
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
            ask("PUT", address, "topics/pf-domain-events", "{}");
            append();
            EventStore store = outbox.store();
            // snippet: pubsub-emulator
            PubSubDestination pubsub =
                    PubSubDestination.of(PubSubOptions.of("demo").emulator(address));
            Relay relay = Relay.named("licenses-to-pubsub")
                    .from(store)
                    .to(pubsub)
                    .route(Route.fixed("pf-domain-events"))
                    .format(Format.raw(HeaderStyle.ATTRIBUTES))
                    .start();
            // end
            try (pubsub;
                    relay) {
                awaitPublished(relay);
            }
        }
    }

    @Test
    void a_consumer_reads_a_subscription_and_a_dead_letter_comes_back() throws Exception {
        Optional<PubSubEmulator> installed = PubSubEmulator.startIfInstalled();
        Assumptions.assumeTrue(installed.isPresent(), "Google's Pub/Sub emulator is not installed here");
        try (PubSubEmulator emulator = installed.get()) {
            String address = emulator.address();
            createTopics(address);
            InMemoryInbox inbox = new InMemoryInbox();
            Notices notices = new Notices();
            // snippet: pubsub-consumer
            PubSubOptions options = PubSubOptions.of("demo").emulator(address);
            PubSubDestination deadLetters = PubSubDestination.of(options);
            EventConsumer consumer = EventConsumer.named("stores", inbox, inbox)
                    .from(PubSubSource.of(options, "stores", "pf-domain-events"), MessageReader.raw())
                    .on("license_status_changed", (transaction, event) -> notices.send(transaction, event))
                    .deadLettersTo(deadLetters)
                    .start();
            // end
            try (deadLetters;
                    consumer) {
                await(() -> consumer.statistics().dead() == 1);
                notices.broken = false;
                // snippet: pubsub-send-back
                try (PubSubDeadLetters box = PubSubDeadLetters.of(options)) {
                    List<DeadLetterEntry> letters = box.list("pf-domain-events.dlt", 1_000);
                    SendBack.of(box, 100).run(letters, new Actor("anna", "the store is there now"), () -> true);
                }
                // end
                await(() -> consumer.statistics().handled() == 1);
            }
        }
    }

    private static void createTopics(String address) throws Exception {
        for (String topic : List.of("pf-domain-events", "pf-domain-events.dlt")) {
            ask("PUT", address, "topics/" + topic, "{}");
        }
        ask(
                "PUT",
                address,
                "subscriptions/stores",
                "{\"topic\":\"projects/demo/topics/pf-domain-events\",\"enableMessageOrdering\":true}");
        ask(
                "PUT",
                address,
                "subscriptions/pf-domain-events.dlt",
                "{\"topic\":\"projects/demo/topics/pf-domain-events.dlt\"}");
        ask("POST", address, "topics/pf-domain-events:publish", """
                {"messages":[{"data":"e30=","orderingKey":"l-1",
                 "attributes":{"event_id":"e-1","event_type":"license_status_changed"}}]}""");
    }

    /** Stand-in for the application. */
    private static final class Notices {
        private volatile boolean broken = true;

        void send(InMemoryInbox.Transaction transaction, ReceivedEvent event) {
            if (broken) {
                throw new PermanentFailureException("no such store");
            }
            transaction.onCommit(event::id);
        }
    }

    private void append() {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(
                    transaction,
                    Event.of("license_status_changed").aggregate("license", "1").payload(Payload.json("{}")));
            transaction.commit();
        }
    }

    private static void ask(String method, String address, String what, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/v1/projects/demo/" + what))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static void awaitPublished(Relay relay) {
        await(() -> relay.statistics().published() > 0);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited a minute in vain").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
