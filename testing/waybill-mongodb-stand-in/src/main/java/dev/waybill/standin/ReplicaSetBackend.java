package dev.waybill.standin;

import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The in-memory server, made to say that it is a replica set and to take transactions, so that the driver sends everything it
 * would send to a real one.
 *
 * <ul>
 *   <li>A transaction sees the database as it was at its first command, and what it wrote itself ({@link SnapshotCopy}). What
 *       it writes is made when it is written, with the time of then, and appears when it commits.
 *   <li>A document that another open transaction has written, or that has changed since the snapshot, makes it fail with 112.
 *   <li>A write outside of transactions waits for those that have written one of its documents.
 *   <li>A transaction that is older than the lifetime is aborted: its client may have been killed.
 *   <li>A write or a commit that the driver sends again is answered as the first time.
 * </ul>
 *
 * It proves nothing about the guarantees of a real server.
 */
final class ReplicaSetBackend extends MemoryBackend {
    private static final List<String> ONLY_FOR_REPLICA_SETS = List.of(
            "lsid", "txnNumber", "autocommit", "startTransaction", "readConcern", "writeConcern", "$clusterTime");
    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findAndModify");

    private final Map<Object, SnapshotCopy> open = new LinkedHashMap<>();
    private final Map<Object, Ended> ended = new HashMap<>();
    private final Map<Object, Answered> answered = new HashMap<>();
    private final Duration transactionLifetime;
    private int copies;
    private int ticks;

    ReplicaSetBackend(Duration transactionLifetime) {
        this.transactionLifetime = transactionLifetime;
    }

    private record Ended(Object number, boolean committed) {}

    private record Answered(Object number, Document reply) {}

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        return asReplicaSet(command, super.handleCommand(channel, database, command, query));
    }

    @Override
    public synchronized Document handleMessage(MongoMessage message) {
        abortExpired();
        Document command = message.getDocument();
        String name = command.keySet().iterator().next();
        if (name.equals("commitTransaction") || name.equals("abortTransaction")) {
            return end(message, name.equals("commitTransaction"));
        }
        if (Boolean.FALSE.equals(command.get("autocommit"))) {
            return inTransaction(message, name);
        }
        if (name.equals("endSessions")) {
            return new Document("ok", 1.0);
        }
        Document reply =
                WRITES.contains(name) ? write(message, name) : run(message, command, message.getDatabaseName());
        return asReplicaSet(name, reply);
    }

    /** A field that every command of its kind has. */
    private static Object required(Document document, String field) {
        return Objects.requireNonNull(document.get(field), field);
    }

    private static Document asReplicaSet(String command, Document reply) {
        if (command.equalsIgnoreCase("ismaster") || command.equals("hello")) {
            reply.put("setName", "rs");
            reply.put("hosts", List.of("localhost:1"));
            reply.put("logicalSessionTimeoutMinutes", 30);
        }
        return reply;
    }

    // ---- outside of transactions

    private Document write(MongoMessage message, String name) {
        Document command = message.getDocument();
        Object session = command.get("lsid");
        Object number = command.get("txnNumber");
        Answered before = answered.get(session);
        if (number != null && before != null && before.number.equals(number)) {
            return before.reply.cloneDeeply();
        }
        String database = message.getDatabaseName();
        String collection = (String) required(command, name);
        if (meetsOpenTransaction(message, name)) {
            return new Document("ok", 0.0).append("code", 1).append("errmsg", MongoProxy.WAITS);
        }
        openOn(database).forEach(transaction -> transaction.require(collection));
        Document reply = run(message, command, database);
        if (number != null) {
            answered.put(session, new Answered(number, reply.cloneDeeply()));
        }
        return reply;
    }

    private boolean meetsOpenTransaction(MongoMessage message, String name) {
        List<SnapshotCopy> transactions = openOn(message.getDatabaseName());
        if (transactions.isEmpty()) {
            return false;
        }
        String collection = (String) required(message.getDocument(), name);
        for (Document filter : filters(message.getDocument(), name)) {
            for (Document found : find(message, message.getDatabaseName(), collection, filter)) {
                if (transactions.stream().anyMatch(other -> other.hasWritten(collection, required(found, "_id")))) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<SnapshotCopy> openOn(String database) {
        return open.values().stream()
                .filter(transaction -> transaction.database().equals(database))
                .toList();
    }

    private static List<Document> filters(Document command, String name) {
        List<Document> filters = new ArrayList<>();
        if (name.equals("findAndModify")) {
            filters.add((Document) required(command, "query"));
        } else if (!name.equals("insert")) {
            for (Object each : (List<?>) required(command, name + "s")) {
                filters.add((Document) required((Document) each, "q"));
            }
        }
        return filters;
    }

    // ---- transactions

    private void abortExpired() {
        List<Object> expired = new ArrayList<>();
        open.forEach((session, transaction) -> {
            if (transaction.isOlderThan(transactionLifetime)) {
                expired.add(session);
            }
        });
        expired.forEach(session -> drop(open.remove(session)));
    }

    private Document inTransaction(MongoMessage message, String name) {
        Document command = message.getDocument();
        Object session = required(command, "lsid");
        if (Boolean.TRUE.equals(command.get("startTransaction"))) {
            drop(open.remove(session));
            Object number = required(command, "txnNumber");
            open.put(session, new SnapshotCopy(number, server(message), message.getDatabaseName(), "copy_" + copies++));
        }
        SnapshotCopy transaction = open.get(session);
        if (transaction == null) {
            return error(ServerError.NO_SUCH_TRANSACTION, name);
        }
        String collection = (String) required(command, name);
        transaction.require(collection);
        Document reply = run(message, command, transaction.name());
        if (WRITES.contains(name)) {
            List<SnapshotCopy> others = openOn(transaction.database()).stream()
                    .filter(other -> other != transaction)
                    .toList();
            if (transaction.conflictsAfterWriting(collection, others)) {
                drop(open.remove(session));
                return error(ServerError.WRITE_CONFLICT, name);
            }
        }
        return reply;
    }

    private Document end(MongoMessage message, boolean commit) {
        Object session = required(message.getDocument(), "lsid");
        Object number = required(message.getDocument(), "txnNumber");
        SnapshotCopy transaction = open.get(session);
        if (transaction == null || !transaction.number().equals(number)) {
            boolean again = Optional.ofNullable(ended.get(session))
                    .filter(before -> before.number.equals(number) && before.committed == commit)
                    .isPresent();
            return again
                    ? new Document("ok", 1.0)
                    : error(ServerError.NO_SUCH_TRANSACTION, commit ? "commitTransaction" : "abortTransaction");
        }
        open.remove(session);
        if (commit) {
            transaction.changes().forEach((collection, changes) -> {
                openOn(transaction.database()).forEach(other -> other.require(collection));
                changes.forEach(
                        (id, document) -> run(message, writing(collection, id, document), transaction.database()));
            });
        }
        drop(transaction);
        ended.put(session, new Ended(number, commit));
        return new Document("ok", 1.0);
    }

    private static Document writing(String collection, Object id, Optional<Document> document) {
        Document byId = new Document("q", new Document("_id", id));
        return document.isPresent()
                ? new Document("update", collection)
                        .append(
                                "updates",
                                List.of(byId.append("u", document.get()).append("upsert", true)))
                : new Document("delete", collection).append("deletes", List.of(byId.append("limit", 1)));
    }

    private void drop(@Nullable SnapshotCopy copy) {
        if (copy != null) {
            dropDatabase(copy.name());
        }
    }

    private SnapshotCopy.Server server(MongoMessage message) {
        return new SnapshotCopy.Server() {
            @Override
            public List<Document> documents(String database, String collection) {
                return find(message, database, collection, new Document());
            }

            @Override
            public List<Document> uniqueIndexes(String database, String collection) {
                List<Document> indexes =
                        batch(ReplicaSetBackend.this.run(message, new Document("listIndexes", collection), database));
                indexes.removeIf(index -> !Boolean.TRUE.equals(index.get("unique")));
                return indexes;
            }

            @Override
            public void run(String database, Document command) {
                ReplicaSetBackend.this.run(message, command, database);
            }
        };
    }

    private List<Document> find(MongoMessage message, String database, String collection, Document filter) {
        Document all = new Document("find", collection).append("filter", filter).append("batchSize", 1_000_000);
        return batch(run(message, all, database));
    }

    private static List<Document> batch(Document reply) {
        List<Document> batch = new ArrayList<>();
        if (reply.get("cursor") instanceof Document cursor) {
            for (Object each : (List<?>) required(cursor, "firstBatch")) {
                batch.add(((Document) each).cloneDeeply());
            }
        }
        return batch;
    }

    private Document run(MongoMessage message, Document command, String database) {
        Document plain = command.cloneDeeply();
        ONLY_FOR_REPLICA_SETS.forEach(plain::remove);
        plain.put("$db", database);
        if (plain.get("updates") instanceof List<?> updates) {
            updates.forEach(update -> tick((Document) update));
        }
        return super.handleMessage(new MongoMessage(message.getChannel(), message.getHeader(), plain));
    }

    /** A date of the server's has milliseconds and nothing below. A timestamp is unique and grows, also within a second. */
    private void tick(Document update) {
        if (update.get("u") instanceof Document change && change.remove("$currentDate") instanceof Document dates) {
            Document set = change.get("$set") instanceof Document there ? there : new Document();
            Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            dates.forEach(
                    (field, kind) -> set.append(field, isTimestamp(kind) ? new BsonTimestamp(now, ++ticks) : now));
            change.put("$set", set);
        }
    }

    private static boolean isTimestamp(Object kind) {
        return kind instanceof Document type && "timestamp".equals(type.get("$type"));
    }

    private static Document error(ServerError error, String command) {
        return new Document("ok", 0.0)
                .append("code", error.code())
                .append("codeName", error.codeName())
                .append("errmsg", error.codeName())
                .append("errorLabels", error.labels(command, true));
    }
}
