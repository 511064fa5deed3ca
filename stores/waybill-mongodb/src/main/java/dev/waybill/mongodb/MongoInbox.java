package dev.waybill.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.waybill.Inbox;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.spi.TransactionConflictException;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * An inbox in the database of the effects: {@code processed_events}. The marker is written first, in the effect's own
 * transaction. When two transactions handle the same event at once, one fails with a write conflict; {@link
 * MongoTransactions} throws a {@code TransactionConflictException}, and its retry finds a duplicate, or no marker if the other was
 * rolled back. Safe for use by many threads, each with its own session.
 */
public final class MongoInbox implements Inbox<ClientSession> {
    private static final int MAX_CONSUMER = 100;
    private static final String CONSUMER_GROUP = "consumer_group";
    private static final String PROCESSED_AT = "processed_at";
    private static final String VERSION = "version";

    private final MongoCollection<BsonDocument> processed;
    private final MongoCollection<BsonDocument> versions;
    private final MongoInboxOptions options;
    private final InstantSource clock = InstantSource.system();

    private MongoInbox(MongoDatabase database, MongoInboxOptions options) {
        this.processed = database.getCollection(options.collection(), BsonDocument.class);
        this.versions = database.getCollection(options.versions(), BsonDocument.class);
        this.options = options;
    }

    public static MongoInbox on(MongoDatabase database) {
        return on(database, MongoInboxOptions.defaults());
    }

    public static MongoInbox on(MongoDatabase database, MongoInboxOptions options) {
        return new MongoInbox(database, options);
    }

    /** Creates missing indexes: a unique one by consumer and event, and one that expires old entries. */
    public void create() {
        try {
            processed.createIndex(Indexes.ascending(CONSUMER_GROUP, Field.EVENT_ID), new IndexOptions().unique(true));
            processed.createIndex(
                    Indexes.ascending(PROCESSED_AT),
                    new IndexOptions().expireAfter(options.remember().toSeconds(), TimeUnit.SECONDS));
            versions.createIndex(Indexes.ascending(CONSUMER_GROUP, Field.ENTITY_ID), new IndexOptions().unique(true));
        } catch (MongoException e) {
            throw new InboxException(
                    "Could not create the indexes of " + processed.getNamespace() + " (error " + MongoFailure.code(e)
                            + "). If the option remember was changed, change expireAfterSeconds with collMod first.",
                    MongoFailure.withoutValues(e));
        }
    }

    @Override
    public <E extends Exception> Outcome handleOnce(
            ClientSession transaction, String consumer, Incoming event, Effect<ClientSession, E> effect) throws E {
        Outcome outcome = record(transaction, consumer, event);
        if (outcome instanceof Outcome.Handled) {
            long marked = transaction.getServerSession().getTransactionNumber();
            effect.apply(transaction);
            requireSame(transaction, marked, consumer, event);
        }
        return outcome;
    }

    /** If a handler aborts the transaction and begins another one, its later changes would be committed without the marker. */
    private static void requireSame(ClientSession transaction, long marked, String consumer, Incoming event) {
        boolean same = transaction.hasActiveTransaction()
                && transaction.getServerSession().getTransactionNumber() == marked;
        if (!same) {
            throw new TransactionConflictException("The transaction was ended while consumer " + consumer
                    + " handled event " + event.eventId() + ", and its handler continued: a handler must not end it."
                    + " Abort the transaction; the event can be handled again.");
        }
    }

    private Outcome record(ClientSession transaction, String consumer, Incoming event) {
        requireConsumer(consumer);
        requireTransaction(transaction);
        try {
            if (!mark(transaction, consumer, event)) {
                return Outcome.DUPLICATE;
            }
            return event.version().isPresent()
                    ? advance(transaction, consumer, event.version().get())
                    : Outcome.HANDLED;
        } catch (MongoException e) {
            throw new InboxException(
                    "Could not record event " + event.eventId() + " of consumer " + consumer + " in "
                            + processed.getNamespace() + " (error " + MongoFailure.code(e)
                            + "). Roll the transaction back; the event can be handled again.",
                    MongoFailure.withoutValues(e));
        }
    }

    private static void requireConsumer(String consumer) {
        if (consumer.isBlank() || consumer.length() > MAX_CONSUMER) {
            throw new InvalidEventException(
                    "The consumer's name has " + consumer.length() + " characters: use 1 to " + MAX_CONSUMER + ".");
        }
    }

    private static void requireTransaction(ClientSession transaction) {
        if (!transaction.hasActiveTransaction()) {
            throw new NoTransactionException(
                    "The session has no active transaction, so the event would be recorded without its effect. Call"
                            + " startTransaction, handle the event in the same session, then commitTransaction.");
        }
    }

    /** An upsert, because an insert of an existing document would abort the whole transaction. */
    private boolean mark(ClientSession transaction, String consumer, Incoming event) {
        BsonValue entity = event.version()
                .<BsonValue>map(of -> new BsonString(of.entity()))
                .orElse(BsonNull.VALUE);
        BsonValue version = event.version()
                .<BsonValue>map(of -> new BsonInt64(of.version()))
                .orElse(BsonNull.VALUE);
        Bson marker = Updates.combine(
                Updates.setOnInsert(Field.ENTITY_ID, entity),
                Updates.setOnInsert(Field.ENTITY_VERSION, version),
                Updates.setOnInsert(PROCESSED_AT, new BsonDateTime(clock.millis())));
        Bson which = Filters.and(Filters.eq(CONSUMER_GROUP, consumer), Filters.eq(Field.EVENT_ID, event.eventId()));
        return processed
                        .updateOne(transaction, which, marker, new UpdateOptions().upsert(true))
                        .getUpsertedId()
                != null;
    }

    /** Two transactions that advance the same entity conflict, so its versions are compared one after the other. */
    private Outcome advance(ClientSession transaction, String consumer, EntityVersion version) {
        Bson which = Filters.and(Filters.eq(CONSUMER_GROUP, consumer), Filters.eq(Field.ENTITY_ID, version.entity()));
        BsonDocument seen = versions.find(transaction, which).first();
        OptionalLong last = seen == null
                ? OptionalLong.empty()
                : OptionalLong.of(seen.getNumber(VERSION).longValue());
        Outcome outcome = Outcome.ofVersion(last, version.version());
        if (outcome instanceof Outcome.Handled) {
            versions.updateOne(
                    transaction,
                    which,
                    Updates.set(VERSION, new BsonInt64(version.version())),
                    new UpdateOptions().upsert(true));
        }
        return outcome;
    }
}
