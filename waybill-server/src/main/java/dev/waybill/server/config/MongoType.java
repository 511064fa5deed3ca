package dev.waybill.server.config;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.waybill.mongodb.MongoSchema;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.mongodb.MongoStoreOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** An outbox collection in MongoDB. */
final class MongoType implements StoreType {
    private static final Key<String> URI = Key.required(
            "uri",
            Scalars.TEXT
                    .hiding(Hiding.CREDENTIALS)
                    .called("an address, such as mongodb://localhost:27017/?replicaSet=rs0"),
            "`mongodb://user:password@host:27017/?replicaSet=rs0`, or `mongodb+srv://`. TLS is set here, as in"
                    + " `&tls=true`.");
    private static final Key<String> DATABASE = Key.required("database", Scalars.TEXT, "The database of the outbox.");
    private static final Key<String> COLLECTION = Key.standard(
            "collection",
            Scalars.TEXT,
            "outbox",
            "The outbox's collection, with the indexes that `waybill init` makes.");
    private static final Key<Duration> LOCK = Key.standard(
            "lock",
            Scalars.DURATION,
            Durations.written(MongoStoreOptions.DEFAULT.lock()),
            "How long a record that is being published is locked for workers that are not ours.");
    private static final Block BLOCK = Block.of(URI, DATABASE, COLLECTION, LOCK);

    @Override
    public String name() {
        return "mongodb";
    }

    @Override
    public String doc() {
        return "An outbox collection in MongoDB, [as it is](mongodb.md). One relay reads it, best with"
                + " `format: stored`, `route: { by: stored-topic }` and `poll: { max-idle: 10s }`.";
    }

    @Override
    public Block block() {
        return BLOCK;
    }

    @Override
    public boolean takesSeveralRelays() {
        return false;
    }

    @Override
    public Supplier<OpenStore> read(Section section) {
        ConnectionString address = address(section.get(URI));
        MongoStoreOptions options = MongoStoreOptions.DEFAULT.withLock(section.get(LOCK));
        return () -> {
            MongoClient client = MongoClients.create(address);
            MongoDatabase database = client.getDatabase(section.get(DATABASE));
            String collection = section.get(COLLECTION);
            MongoStore store = MongoStore.on(database, collection, options);
            Schema schema = () -> {
                MongoSchema.create(database, collection);
                return "the collection " + collection + " has its indexes";
            };
            return new OpenStore(store, store.admin(), Optional.empty(), schema, client::close);
        };
    }

    /** The driver's own words may quote the address, and so the password. */
    private static ConnectionString address(String uri) {
        try {
            return new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the uri is no address of MongoDB: it is as mongodb://user:password@host:27017/?replicaSet=rs0,"
                            + " with special characters of the password percent-encoded");
        }
    }
}
