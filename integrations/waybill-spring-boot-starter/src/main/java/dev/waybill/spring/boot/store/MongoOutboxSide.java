package dev.waybill.spring.boot.store;

import com.mongodb.MongoException;
import dev.waybill.RelayDefaults;
import dev.waybill.mongodb.MongoOutbox;
import dev.waybill.mongodb.MongoOutboxOptions;
import dev.waybill.mongodb.MongoSchema;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.mongodb.MongoStoreOptions;
import dev.waybill.spi.StoreException;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.store.WaybillStore.RelaySide;
import java.util.List;
import java.util.Optional;
import org.springframework.data.mongodb.MongoDatabaseFactory;

/** An outbox collection in the application's MongoDB. Its relays share the application's client. */
public final class MongoOutboxSide implements OutboxSide {
    private final String store;
    private final MongoDatabaseFactory databases;
    private final String collection;

    private MongoOutboxSide(String store, MongoDatabaseFactory databases, String collection) {
        this.store = store;
        this.databases = databases;
        this.collection = collection;
    }

    static WaybillStore open(String name, StoreProperties properties, MongoDatabaseFactory databases) {
        MongoOutboxSide outbox = new MongoOutboxSide(name, databases, properties.collection());
        return new WaybillStore(name, properties, outbox, () -> outbox.relaySide(properties));
    }

    private RelaySide relaySide(StoreProperties properties) {
        MongoStore opened = MongoStore.on(
                databases.getMongoDatabase(),
                collection,
                MongoStoreOptions.defaults().lock(properties.lock()));
        return new RelaySide(opened, opened.admin(), Optional.empty(), () -> {});
    }

    /** Events are appended in transactions that are bound to it. */
    public MongoDatabaseFactory databases() {
        return databases;
    }

    public MongoOutbox appending(StoreProperties properties) {
        return MongoOutbox.on(
                databases.getMongoDatabase(),
                collection,
                MongoOutboxOptions.defaults().maxPayloadBytes(properties.maxPayloadBytes()));
    }

    @Override
    public StoreType type() {
        return StoreType.MONGODB;
    }

    @Override
    public RelayDefaults relayDefaults() {
        return MongoStore.relayDefaults();
    }

    @Override
    public String what() {
        return "collection " + collection;
    }

    @Override
    public boolean isSame(OutboxSide other) {
        return other instanceof MongoOutboxSide mongo
                && mongo.databases == databases
                && mongo.collection.equals(collection);
    }

    @Override
    public boolean isRouted() {
        return false;
    }

    @Override
    public void createSchema() {
        try {
            MongoSchema.create(databases.getMongoDatabase(), collection);
        } catch (MongoException | StoreException e) {
            throw new UnusableStoreException(
                    "Could not create the indexes of store " + store + " (" + what() + "): " + e.getMessage(),
                    "Give the user the privilege to create them, or create them with MongoSchema.create.",
                    e);
        }
    }

    @Override
    public void validateSchema() {
        List<String> missing = MongoSchema.missing(databases.getMongoDatabase(), collection);
        if (!missing.isEmpty()) {
            throw new UnusableStoreException(
                    "The collection " + collection + " of store " + store + " has no index on "
                            + String.join(", ", missing) + ".",
                    "Create the indexes with MongoSchema.create, or set waybill.stores." + store
                            + ".schema=create, or none to check nothing.",
                    null);
        }
    }
}
