package dev.waybill.trials;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.mongodb.MongoInbox;
import dev.waybill.mongodb.MongoTransactions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A projection of users, as a service would write it: it reads a topic of Kafka and appends every version to the user's card in
 * MongoDB, in the transaction of the inbox. A version applied twice or too early is visible in the card.
 */
final class UserCards implements AutoCloseable {
    static final String GROUP = "sc-proj-user-cards";
    static final String CARDS = "cards";
    static final String TYPE = "user.changed";
    static final String RUNS = "trial: the cards are kept";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final MongoClient client;
    private final KafkaDestination deadLetters;
    private final EventConsumer consumer;

    /**
     * Where it reads and writes.
     *
     * @param kafka bootstrap servers
     */
    record Place(String mongo, String database, String kafka, String topic) {
        static Place of(String... arguments) {
            return new Place(arguments[0], arguments[1], arguments[2], arguments[3]);
        }

        List<String> arguments(String... more) {
            List<String> all = new ArrayList<>(List.of(mongo, database, kafka, topic));
            all.addAll(List.of(more));
            return all;
        }
    }

    /** When its process kills itself; 0 for never. */
    record Deaths(int commits, int effects) {
        static final Deaths NONE = new Deaths(0, 0);
    }

    private UserCards(Place place, Deaths deaths) {
        // The minimum that a broker allows, so that a trial does not wait 45 s for a dead member.
        Map<String, String> kafka =
                Map.of("bootstrap.servers", place.kafka, "session.timeout.ms", "6000", "heartbeat.interval.ms", "1000");
        client = MongoClients.create(place.mongo);
        MongoDatabase database = client.getDatabase(place.database);
        MongoCollection<Document> cards = database.getCollection(CARDS);
        deadLetters = KafkaDestination.of(KafkaOptions.of(Map.of("bootstrap.servers", place.kafka)));
        Transactions<ClientSession> transactions = MongoTransactions.on(client);
        EventHandler<ClientSession> handler = (session, event) -> {
            EntityVersion user = version(event);
            cards.updateOne(
                    session,
                    Filters.eq("_id", user.entity()),
                    Updates.push("versions", user.version()),
                    new UpdateOptions().upsert(true));
        };
        consumer = EventConsumer.named(
                        GROUP,
                        MongoInbox.on(database),
                        deaths.commits == 0 ? transactions : KillSelf.afterCommits(deaths.commits, transactions))
                .from(KafkaSource.of(kafka, GROUP, List.of(place.topic)), MessageReader.raw())
                .on(TYPE, deaths.effects == 0 ? handler : KillSelf.inHandler(deaths.effects, handler))
                .onlyNewer(event -> Optional.of(version(event)))
                .deadLettersTo(deadLetters)
                .start();
    }

    static UserCards start(Place place) {
        return new UserCards(place, Deaths.NONE);
    }

    EventConsumer consumer() {
        return consumer;
    }

    /** The payload is the document's envelope, which names the entity and its version. */
    private static EntityVersion version(ReceivedEvent event) {
        JsonNode envelope = JSON.readTree(event.data());
        return new EntityVersion(
                envelope.get("entity_id").asString(),
                envelope.get("entity_version").asLong());
    }

    @Override
    public void close() {
        consumer.close();
        deadLetters.close();
        client.close();
    }

    public static void main(String... arguments) throws IOException {
        UserCards cards = new UserCards(
                Place.of(arguments), new Deaths(Integer.parseInt(arguments[4]), Integer.parseInt(arguments[5])));
        System.out.println(RUNS);
        while (System.in.read() >= 0) {
            // The parent writes nothing; the stream ends when the parent ends.
        }
        cards.close();
    }
}
