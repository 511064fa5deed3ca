package dev.waybill.server.config;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.waybill.mongodb.MongoSchema;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.mongodb.MongoStoreOptions;
import dev.waybill.spi.TrustedCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

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
            Durations.written(MongoStoreOptions.defaults().lock()),
            "How long a record that is being published is locked for workers that are not ours.");
    private static final Key<String> TRUST = Key.optional(
            "trusted-certificates",
            Scalars.TEXT.called("the name of a file"),
            "A PEM file of the authorities that are trusted, instead of the machine's own.");
    private static final Key<Section> TLS =
            Key.optional("tls", Block.of(TRUST), "Whom to trust; with `tls=true` in the uri.");
    private static final Block BLOCK = Block.of(URI, DATABASE, COLLECTION, LOCK, TLS);

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
        Optional<Path> trust =
                section.get(TLS).find(TRUST).map(section.place().findings().references()::resolve);
        if (trust.isPresent() && !Boolean.TRUE.equals(address.getSslEnabled())) {
            throw new IllegalArgumentException("tls is set, but the uri has no tls=true");
        }
        MongoStoreOptions options = MongoStoreOptions.defaults().lock(section.get(LOCK));
        return () -> {
            MongoClient client = MongoClients.create(settings(address, trust));
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

    private static MongoClientSettings settings(ConnectionString address, Optional<Path> trust) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder().applyConnectionString(address);
        trust.ifPresent(file -> settings.applyToSslSettings(ssl -> ssl.context(context(file))));
        return settings.build();
    }

    private static SSLContext context(Path file) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, TrustedCertificates.in(Files.readAllBytes(file)), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the trusted certificates in " + file + " cannot be used (" + e.getMessage() + ")", e);
        }
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
