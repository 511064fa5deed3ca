package dev.waybill.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import java.util.Optional;
import java.util.UUID;

/** A database of its own for one test: on the in-memory server, or on a real replica set that the environment names. */
final class MongoWorld implements AutoCloseable {
    static final String URI_VARIABLE = "WAYBILL_TEST_MONGODB_URI";
    static final String OUTBOX = "outbox";

    private final Optional<InMemory> server;
    private final MongoFaults faults;
    private final String uri;
    private final MongoClient client;
    /** Its commands never fail. */
    private final MongoClient unfailing;

    private final MongoDatabase database;

    /** The server, and the proxy before it. */
    private record InMemory(MongoServer server, MongoProxy proxy) {
        static InMemory start(MongoFaults faults) {
            MongoServer server = new MongoServer(new ReplicaSetBackend().version(ServerVersion.MONGO_5_0));
            return new InMemory(server, new MongoProxy(server.bind().getPort(), faults));
        }

        void close() {
            proxy.close();
            server.shutdownNow();
        }
    }

    private MongoWorld(Optional<InMemory> server, MongoFaults faults, String uri, Optional<CommandListener> listener) {
        this.server = server;
        this.faults = faults;
        this.uri = uri;
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(faults)
                .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(faults));
        listener.ifPresent(settings::addCommandListener);
        this.client = MongoClients.create(settings.build());
        this.unfailing = MongoClients.create(uri);
        this.database = client.getDatabase(
                "waybill_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12));
    }

    static MongoWorld inMemory() {
        return inMemory(Optional.empty());
    }

    static MongoWorld inMemory(CommandListener listener) {
        return inMemory(Optional.of(listener));
    }

    private static MongoWorld inMemory(Optional<CommandListener> listener) {
        MongoFaults faults = new MongoFaults();
        InMemory server = InMemory.start(faults);
        String uri = "mongodb://127.0.0.1:" + server.proxy().port() + "/?directConnection=true";
        return new MongoWorld(Optional.of(server), faults, uri, listener);
    }

    static MongoWorld real() {
        return new MongoWorld(Optional.empty(), new MongoFaults(), System.getenv(URI_VARIABLE), Optional.empty());
    }

    MongoClient client() {
        return client;
    }

    MongoFaults faults() {
        return faults;
    }

    MongoDatabase database() {
        return database;
    }

    MongoDatabase unfailingDatabase() {
        return unfailing.getDatabase(database.getName());
    }

    String uri() {
        return uri;
    }

    @Override
    public void close() {
        if (server.isEmpty()) {
            database.drop();
        }
        client.close();
        unfailing.close();
        server.ifPresent(InMemory::close);
    }
}
