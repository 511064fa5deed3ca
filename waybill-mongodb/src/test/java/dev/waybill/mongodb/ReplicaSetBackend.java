package dev.waybill.mongodb;

import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The in-memory server, made to say that it is a replica set and to take transactions, so that the driver sends everything it
 * would send to a real one. A transaction works on a copy of the database that nobody else sees, and what it wrote is written
 * again to the database itself when it commits. Two open ones that update by the same filter conflict, as documents would.
 * It says nothing of how a real server keeps its promises.
 */
final class ReplicaSetBackend extends MemoryBackend {
    private static final List<String> ONLY_FOR_REPLICA_SETS = List.of(
            "lsid", "txnNumber", "autocommit", "startTransaction", "readConcern", "writeConcern", "$clusterTime");
    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findAndModify");

    private final Map<Object, Open> transactions = new HashMap<>();
    private int copies;

    private static final class Open {
        private final String copy;
        private final List<Document> writes = new ArrayList<>();
        private final Set<String> locked = new HashSet<>();
        private final Set<Object> copied = new HashSet<>();

        private Open(String copy) {
            this.copy = copy;
        }
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        return asReplicaSet(command, super.handleCommand(channel, database, command, query));
    }

    @Override
    public synchronized Document handleMessage(MongoMessage message) {
        Document command = message.getDocument();
        String name = command.keySet().iterator().next();
        Object session = command.get("lsid");
        if (name.equals("commitTransaction")) {
            return end(message, transactions.remove(session), true);
        }
        if (name.equals("abortTransaction")) {
            return end(message, transactions.remove(session), false);
        }
        if (Boolean.FALSE.equals(command.get("autocommit"))) {
            return inTransaction(message, session, name, command);
        }
        if (name.equals("endSessions")) {
            return new Document("ok", 1.0);
        }
        return asReplicaSet(name, run(message, command, message.getDatabaseName()));
    }

    private static Document asReplicaSet(String command, Document reply) {
        if (command.equalsIgnoreCase("ismaster") || command.equals("hello")) {
            reply.put("setName", "rs");
            reply.put("hosts", List.of("localhost:1"));
            reply.put("logicalSessionTimeoutMinutes", 30);
        }
        return reply;
    }

    private Document inTransaction(MongoMessage message, Object session, String name, Document command) {
        if (Boolean.TRUE.equals(command.get("startTransaction"))) {
            transactions.put(session, new Open(message.getDatabaseName() + "_copy_" + copies++));
        }
        Open open = transactions.get(session);
        if (open == null) {
            return error(251, "NoSuchTransaction");
        }
        String collection = (String) command.get(name);
        if (open.copied.add(collection)) {
            copy(message, collection, open.copy);
        }
        if (WRITES.contains(name)) {
            Set<String> locks = locks(name, command);
            boolean taken = transactions.values().stream()
                    .anyMatch(other -> other != open && other.locked.stream().anyMatch(locks::contains));
            if (taken) {
                end(message, transactions.remove(session), false);
                return error(112, "WriteConflict");
            }
            open.locked.addAll(locks);
            open.writes.add(command);
        }
        return run(message, command, open.copy);
    }

    private static Set<String> locks(String name, Document command) {
        Set<String> locks = new HashSet<>();
        if (name.equals("update")) {
            for (Object update : (List<?>) command.get("updates")) {
                locks.add(command.get("update") + " " + ((Document) update).get("q"));
            }
        }
        return locks;
    }

    private Document end(MongoMessage message, Open open, boolean commit) {
        if (open != null) {
            if (commit) {
                open.writes.forEach(write -> run(message, write, (String) write.get("$db")));
            }
            dropDatabase(open.copy);
        }
        return new Document("ok", 1.0);
    }

    /** Only what it touches, when it first does: a whole snapshot would be slow, and no test looks for one. */
    private void copy(MongoMessage message, String collection, String to) {
        String from = message.getDatabaseName();
        List<Document> indexes = batch(run(message, new Document("listIndexes", collection), from));
        indexes.removeIf(index -> !Boolean.TRUE.equals(index.get("unique")));
        if (!indexes.isEmpty()) {
            run(message, new Document("createIndexes", collection).append("indexes", indexes), to);
        }
        Document all = new Document("find", collection)
                .append("filter", new Document())
                .append("batchSize", 1_000_000);
        List<Document> documents = batch(run(message, all, from));
        if (!documents.isEmpty()) {
            run(message, new Document("insert", collection).append("documents", documents), to);
        }
    }

    private static List<Document> batch(Document reply) {
        List<Document> batch = new ArrayList<>();
        Document cursor = (Document) reply.get("cursor");
        for (Object each : (List<?>) cursor.get("firstBatch")) {
            batch.add(((Document) each).cloneDeeply());
        }
        return batch;
    }

    private Document run(MongoMessage message, Document command, String database) {
        Document plain = command.cloneDeeply();
        ONLY_FOR_REPLICA_SETS.forEach(plain::remove);
        plain.put("$db", database);
        return super.handleMessage(new MongoMessage(message.getChannel(), message.getHeader(), plain));
    }

    private static Document error(int code, String name) {
        return new Document("ok", 0.0)
                .append("code", code)
                .append("codeName", name)
                .append("errmsg", name)
                .append("errorLabels", List.of("TransientTransactionError"));
    }
}
