package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.waybill.Event;
import dev.waybill.Inbox;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.Payload;
import dev.waybill.format.Format;
import dev.waybill.mongodb.MongoInbox;
import dev.waybill.mongodb.MongoOutbox;
import dev.waybill.mongodb.MongoSchema;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.mongodb.MongoTransactions;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.StoreException;
import dev.waybill.tck.memory.InMemoryDestination;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** The Java of the page on MongoDB, run against nobody: the module's own tests have a server. */
class MongoExamplesTest {

    private static MongoClient nobody() {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://127.0.0.1:1"))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(50, TimeUnit.MILLISECONDS))
                .build());
    }

    @Test
    void an_application_appends_in_its_transaction() {
        try (MongoClient client = nobody()) {
            MongoDatabase database = client.getDatabase("users");
            MongoCollection<Document> users = database.getCollection("users");
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> append(client, database, users));
        }
    }

    private static void append(MongoClient client, MongoDatabase database, MongoCollection<Document> users) {
        // snippet: mongodb-append
        MongoSchema.create(database, "outbox");
        MongoOutbox outbox = MongoOutbox.on(database, "outbox");
        MongoTransactions.on(client).call(session -> {
            users.updateOne(session, Filters.eq("_id", "65a1b2c3"), Updates.set("name", "Zoë"));
            outbox.append(
                    session,
                    Event.of("user.changed")
                            .aggregate("user", "65a1b2c3")
                            .payload(Payload.json("{\"name\":\"Zoë\"}"))
                            .aggregateVersion(5)
                            .topic("sc.domain.user"));
            return null;
        });
        // end
    }

    @Test
    void a_relay_publishes_what_is_stored() {
        try (MongoClient client = nobody();
                Destination kafka = new InMemoryDestination()) {
            MongoDatabase database = client.getDatabase("users");
            // snippet: mongodb-relay
            Relay relay = Relay.start(RelayPlan.named("users-to-kafka")
                    .from(MongoStore.on(database, "outbox"))
                    .to(kafka)
                    .route(Route.storedTopic())
                    .format(Format.stored())
                    .options(RelayOptions.defaults()
                            .poll(new RelayOptions.Poll(Duration.ofMillis(50), Duration.ofSeconds(10)))));
            // end
            try (relay) {
                assertThat(relay.statistics().published()).isZero();
            }
        }
    }

    @Test
    void a_consumer_handles_once() {
        try (MongoClient client = nobody()) {
            MongoDatabase database = client.getDatabase("cards");
            assertThatExceptionOfType(InboxException.class).isThrownBy(() -> handle(client, database, "e1"));
        }
    }

    private static void handle(MongoClient client, MongoDatabase database, String eventId) {
        MongoCollection<Document> cards = database.getCollection("cards");
        // snippet: mongodb-inbox
        MongoInbox inbox = MongoInbox.on(database);
        inbox.create();
        Inbox.Outcome outcome = MongoTransactions.on(client)
                .call(session -> inbox.handleOnce(
                        session,
                        "sc-proj-user-cards",
                        Incoming.event(eventId).ofEntity("65a1b2c3", 5),
                        transaction -> cards.updateOne(
                                transaction, Filters.eq("_id", "65a1b2c3"), Updates.inc("changes", 1))));
        // end
        assertThat(outcome).isEqualTo(Inbox.Outcome.HANDLED);
    }
}
