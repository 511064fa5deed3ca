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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** An outbox collection in MongoDB. */
final class MongoType implements StoreType {
    @Override
    public String name() {
        return "mongodb";
    }

    @Override
    public boolean savesWindows() {
        return false;
    }

    @Override
    public boolean takesSeveralRelays() {
        return false;
    }

    @Override
    public Optional<StoreDefaults> relayDefaults(Section section) {
        String origin = "type mongodb";
        return Optional.of(new StoreDefaults(origin, origin, MongoStore.relayDefaults(), OptionalInt.empty()));
    }

    @Override
    public Supplier<OpenStore> read(Section section) {
        ConnectionString address = address(section.text("uri"));
        Optional<Path> trust = section.section("tls").file("trusted-certificates");
        if (trust.isPresent() && !Boolean.TRUE.equals(address.getSslEnabled())) {
            throw new IllegalArgumentException("tls is set, but the uri has no tls=true");
        }
        MongoStoreOptions options = MongoStoreOptions.defaults().lock(section.duration("lock"));
        return () -> {
            MongoClient client = MongoClients.create(settings(address, trust));
            MongoDatabase database = client.getDatabase(section.text("database"));
            String collection = section.text("collection");
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

    /** Hides the driver's message, which may quote the address with its password. */
    private static ConnectionString address(String uri) {
        try {
            return new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the uri is not an address of MongoDB: write it as mongodb://user:password@host:27017/?replicaSet=rs0,"
                            + " with special characters of the password percent-encoded");
        }
    }
}
