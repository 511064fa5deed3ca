package dev.waybill.mongodb;

import com.mongodb.client.MongoDatabase;
import dev.waybill.RelayDefaults;
import dev.waybill.RelayName;
import dev.waybill.RetryPolicy;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An outbox collection as the store of a relay: records are marked when they are published. One relay reads it, since a record
 * can be marked once; any number of processes may run that relay, and one works at a time.
 */
public final class MongoStore implements EventStore {
    private static final RelayDefaults RELAY_DEFAULTS = RelayDefaults.standard()
            .maxIdle(Duration.ofSeconds(10))
            .retry(RetryPolicy.defaults().unlimited());

    private final OutboxCollections outbox;
    private final MongoStoreOptions options;

    private MongoStore(OutboxCollections outbox, MongoStoreOptions options) {
        this.outbox = outbox;
        this.options = options;
    }

    /**
     * @param collection has the indexes of {@link MongoSchema}
     */
    public static MongoStore on(MongoDatabase database, String collection) {
        return on(database, collection, MongoStoreOptions.defaults());
    }

    public static MongoStore on(MongoDatabase database, String collection, MongoStoreOptions options) {
        return new MongoStore(OutboxCollections.of(database, collection), options);
    }

    /**
     * What a relay of the collection does unless it is told otherwise: it waits exponentially longer while there is nothing to do,
     * at most 10 s, and each record says itself after how many failed sends it is dead ({@code max_retries}).
     */
    public static RelayDefaults relayDefaults() {
        return RELAY_DEFAULTS;
    }

    public StoreAdmin admin() {
        return new MongoStoreAdmin(outbox);
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return admin().purge(olderThan, atMost).more();
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return outbox.doing("relay " + relay + " was opening its session", () -> {
            requireIndexes(relay);
            RelayDocument registered = RelayDocument.register(outbox, relay);
            OptionalLong epoch = registered.acquire(outbox, owner, lease);
            return epoch.isEmpty() ? Optional.empty() : Optional.of(begin(relay, owner, lease, epoch.getAsLong()));
        });
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return Optional.empty();
    }

    private RelaySession begin(RelayName relay, OwnerId owner, Duration lease, long epoch) {
        RelayDocument held = RelayDocument.read(outbox)
                .filter(document -> document.epoch() == epoch && document.isOf(relay))
                .orElseThrow(() -> new LeaseLostException(relay, epoch));
        MongoSession session = new MongoSession(outbox, options, held, Worker.of(relay, epoch, owner), lease);
        session.begin();
        return session;
    }

    private void requireIndexes(RelayName relay) {
        if (!MongoSchema.hasUniqueEventIds(outbox)) {
            throw new StoreRefusedException("Relay " + relay + " cannot read the collection "
                    + outbox.records().getNamespace()
                    + ": it does not exist, or has no unique index on event_id. Run MongoSchema.create.");
        }
    }
}
