package dev.waybill.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import dev.waybill.standin.MongoStandIn;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A separate database for one test: on the in-memory server, or on a real replica set named by the environment. */
final class MongoWorld implements AutoCloseable {
    static final String URI_VARIABLE = "WAYBILL_TEST_MONGODB_URI";
    static final String OUTBOX = "outbox";

    private final Optional<InMemory> server;
    private final MongoFaults faults;
    private final String uri;
    private final MongoClient client;
    private final MongoDatabase database;
    private final MongoDatabase unfailingDatabase;
    private final boolean ownClient;

    /** One server for all tests of a JVM, the proxy before it, and a client whose commands can fail and one whose cannot. */
    private record InMemory(
            MongoStandIn standIn, MongoFaults faults, String uri, MongoClient client, MongoClient unfailing) {
        private static final InMemory SHARED = start();

        private static InMemory start() {
            MongoFaults faults = new MongoFaults();
            MongoStandIn standIn = MongoStandIn.failingBy(faults);
            String uri = standIn.uri();
            return new InMemory(standIn, faults, uri, connect(uri, faults, Optional.empty()), MongoClients.create(uri));
        }
    }

    private MongoWorld(
            Optional<InMemory> server,
            MongoFaults faults,
            String uri,
            MongoClient client,
            MongoClient unfailing,
            boolean ownClient) {
        this.server = server;
        this.faults = faults;
        this.uri = uri;
        this.client = client;
        this.ownClient = ownClient;
        String name = "waybill_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        this.database = client.getDatabase(name);
        this.unfailingDatabase = unfailing.getDatabase(name);
    }

    private static MongoClient connect(String uri, MongoFaults faults, Optional<CommandListener> listener) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(faults)
                // After an error of the server the driver waits half a second by default before it checks again.
                .applyToServerSettings(server -> server.minHeartbeatFrequency(5, TimeUnit.MILLISECONDS))
                .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(faults));
        listener.ifPresent(settings::addCommandListener);
        return MongoClients.create(settings.build());
    }

    static MongoWorld inMemory() {
        InMemory shared = InMemory.SHARED;
        return new MongoWorld(Optional.of(shared), shared.faults, shared.uri, shared.client, shared.unfailing, false);
    }

    static MongoWorld inMemory(CommandListener listener) {
        InMemory shared = InMemory.SHARED;
        MongoClient listening = connect(shared.uri, shared.faults, Optional.of(listener));
        return new MongoWorld(Optional.of(shared), shared.faults, shared.uri, listening, shared.unfailing, true);
    }

    static MongoWorld real() {
        String uri = System.getenv(URI_VARIABLE);
        MongoFaults faults = new MongoFaults();
        MongoClient client = connect(uri, faults, Optional.empty());
        return new MongoWorld(Optional.empty(), faults, uri, client, client, true);
    }

    MongoClient client() {
        return client;
    }

    MongoFaults faults() {
        return faults;
    }

    /** How many commands wait for a transaction to end. */
    int waiting() {
        return server.orElseThrow().standIn().waiting();
    }

    MongoDatabase database() {
        return database;
    }

    MongoDatabase unfailingDatabase() {
        return unfailingDatabase;
    }

    String uri() {
        return uri;
    }

    @Override
    public void close() {
        unfailingDatabase.drop();
        if (ownClient) {
            client.close();
        }
    }
}
