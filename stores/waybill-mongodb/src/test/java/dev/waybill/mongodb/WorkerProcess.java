package dev.waybill.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.route.Route;
import java.io.IOException;
import java.time.Duration;

/** A process that runs the relay of an outbox in MongoDB until it is killed or its parent ends. */
final class WorkerProcess {
    static final int BATCH = 10;
    static final int BATCHES = 2;

    private WorkerProcess() {}

    public static void main(String... arguments) throws IOException {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            MongoDatabase database = client.getDatabase(arguments[1]);
            RelayOptions options = RelayOptions.defaults()
                    .lease(Duration.parse(arguments[2]))
                    .batch(new BatchSize(BATCH, 1_000_000))
                    .inFlight(new RelayOptions.InFlight(BATCHES, 1_000_000));
            Relay relay = Relay.named(OutboxScene.RELAY.value())
                    .from(MongoStore.on(database, MongoWorld.OUTBOX))
                    .to(new CollectionTopic(database))
                    .route(Route.storedTopic())
                    .options(options)
                    .start();
            while (System.in.read() >= 0) {
                // The parent writes nothing; the stream ends with it.
            }
            relay.close();
        }
    }
}
