package dev.waybill.example.projections;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.mongodb.MongoInbox;
import dev.waybill.mongodb.MongoTransactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The projection: a card for each user, changed in the transaction that records the event, and only by newer versions. A card lists
 * the versions that were applied to it.
 */
public final class UserCards {
    private static final String GROUP = "sc-proj-user-cards";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final MongoCollection<Document> cards;

    private UserCards(MongoDatabase database) {
        this.cards = database.getCollection("cards");
    }

    public static void main(String[] arguments) {
        MongoClient client = MongoClients.create(System.getenv("MONGODB_URI"));
        MongoDatabase database = client.getDatabase(System.getenv("MONGODB_DATABASE"));
        MongoInbox inbox = MongoInbox.on(database);
        inbox.create();
        String servers = System.getenv("KAFKA_BOOTSTRAP_SERVERS");
        // The partitions of a killed process are taken over after six seconds, not after Kafka's default of 45.
        Map<String, String> kafka = Map.of("bootstrap.servers", servers, "session.timeout.ms", "6000");
        KafkaDestination deadLetters = KafkaDestination.of(KafkaOptions.of(Map.of("bootstrap.servers", servers)));
        EventConsumer consumer = EventConsumer.named(GROUP, inbox, MongoTransactions.on(client))
                .from(KafkaSource.of(kafka, GROUP, List.of(UserChanged.TOPIC)), MessageReader.raw())
                .on(UserChanged.TYPE, new UserCards(database)::apply)
                .onlyNewer(event -> Optional.of(version(event)))
                .deadLettersTo(deadLetters)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            consumer.close();
            deadLetters.close();
            client.close();
        }));
        System.out.println("cards: ready");
    }

    private void apply(ClientSession session, ReceivedEvent event) {
        UserChanged user = read(event);
        cards.updateOne(
                session,
                Filters.eq("_id", user.entity_id()),
                Updates.combine(Updates.set("name", user.name()), Updates.push("applied", user.entity_version())),
                new UpdateOptions().upsert(true));
    }

    private static EntityVersion version(ReceivedEvent event) {
        UserChanged user = read(event);
        return new EntityVersion(user.entity_id(), user.entity_version());
    }

    private static UserChanged read(ReceivedEvent event) {
        try {
            return JSON.readValue(event.data(), UserChanged.class);
        } catch (JacksonException e) {
            throw new PermanentFailureException("The message is not a user.changed.");
        }
    }
}
