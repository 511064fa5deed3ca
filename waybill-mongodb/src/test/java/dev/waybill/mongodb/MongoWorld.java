package dev.waybill.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.UUID;

/** A database of its own for one test: on the in-memory server, or on a real replica set that the environment names. */
final class MongoWorld implements AutoCloseable {
    static final String URI_VARIABLE = "WAYBILL_TEST_MONGODB_URI";
    static final String OUTBOX = "outbox";

    private final Optional<MongoServer> server;
    private final String uri;
    private final MongoClient client;
    private final MongoDatabase database;

    private MongoWorld(Optional<MongoServer> server, String uri, Optional<CommandListener> listener) {
        this.server = server;
        this.uri = uri;
        MongoClientSettings.Builder settings =
                MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri));
        listener.ifPresent(settings::addCommandListener);
        this.client = MongoClients.create(settings.build());
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
        MongoServer server = new MongoServer(new ReplicaSetBackend().version(ServerVersion.MONGO_5_0));
        InetSocketAddress address = server.bind();
        String uri = "mongodb://" + address.getHostString() + ":" + address.getPort() + "/?directConnection=true";
        return new MongoWorld(Optional.of(server), uri, listener);
    }

    static MongoWorld real() {
        return new MongoWorld(Optional.empty(), System.getenv(URI_VARIABLE), Optional.empty());
    }

    MongoClient client() {
        return client;
    }

    MongoDatabase database() {
        return database;
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
        server.ifPresent(MongoServer::shutdownNow);
    }
}
