package dev.waybill.standin;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What one transaction sees and writes: a copy of each collection that nobody else sees, made when the transaction first
 * touches it or when somebody else is about to change it.
 */
final class SnapshotCopy {
    private final Object number;
    private final Server server;
    private final String database;
    private final String name;
    private final Map<String, Map<Object, Document>> snapshots = new HashMap<>();
    private final Map<String, Set<Object>> written = new LinkedHashMap<>();
    private final long begun = System.nanoTime();

    /** Functions of the server. */
    interface Server {
        List<Document> documents(String database, String collection);

        List<Document> uniqueIndexes(String database, String collection);

        void run(String database, Document command);
    }

    /**
     * @param number of the transaction in its session
     * @param database that it works on
     * @param name of the database that holds the copy
     */
    SnapshotCopy(Object number, Server server, String database, String name) {
        this.number = number;
        this.server = server;
        this.database = database;
        this.name = name;
    }

    Object number() {
        return number;
    }

    boolean isOlderThan(Duration time) {
        return System.nanoTime() - begun > time.toNanos();
    }

    String database() {
        return database;
    }

    String name() {
        return name;
    }

    /** From now on the collection is as it is now. */
    void require(String collection) {
        if (snapshots.containsKey(collection)) {
            return;
        }
        List<Document> indexes = server.uniqueIndexes(database, collection);
        if (!indexes.isEmpty()) {
            server.run(name, new Document("createIndexes", collection).append("indexes", indexes));
        }
        List<Document> documents = server.documents(database, collection);
        if (!documents.isEmpty()) {
            server.run(name, new Document("insert", collection).append("documents", documents));
        }
        snapshots.put(collection, byId(documents));
    }

    boolean hasWritten(String collection, Object id) {
        return written.getOrDefault(collection, Set.of()).contains(id);
    }

    /** Whether the last write conflicts with another transaction, in a document or a unique key. */
    boolean conflictsAfterWriting(String collection, List<SnapshotCopy> others) {
        Map<Object, Document> mine = byId(server.documents(name, collection));
        Map<Object, Document> before = snapshots.getOrDefault(collection, Map.of());
        Map<Object, Document> now = byId(server.documents(database, collection));
        Set<Object> ids = new LinkedHashSet<>(mine.keySet());
        ids.addAll(before.keySet());
        ids.removeIf(id -> Objects.equals(mine.get(id), before.get(id)));
        written.put(collection, ids);
        boolean byDocument = ids.stream()
                .anyMatch(id -> !Objects.equals(before.get(id), now.get(id))
                        || others.stream().anyMatch(other -> other.hasWritten(collection, id)));
        return byDocument || conflictsByKey(collection, mine, now, others);
    }

    private boolean conflictsByKey(
            String collection, Map<Object, Document> mine, Map<Object, Document> now, List<SnapshotCopy> others) {
        for (Document index : server.uniqueIndexes(database, collection)) {
            Set<String> fields = ((Document) Objects.requireNonNull(index.get("key"))).keySet();
            Set<List<Object>> taken = new HashSet<>();
            now.forEach((id, document) -> {
                if (!snapshots.getOrDefault(collection, Map.of()).containsKey(id)) {
                    taken.add(key(document, fields));
                }
            });
            for (SnapshotCopy other : others) {
                byId(server.documents(other.name, collection)).forEach((id, document) -> {
                    if (other.hasWritten(collection, id)) {
                        taken.add(key(document, fields));
                    }
                });
            }
            boolean conflicts = written.getOrDefault(collection, Set.of()).stream()
                    .map(mine::get)
                    .filter(Objects::nonNull)
                    .anyMatch(document -> taken.contains(key(document, fields)));
            if (conflicts) {
                return true;
            }
        }
        return false;
    }

    private static List<Object> key(Document document, Set<String> fields) {
        List<Object> key = new ArrayList<>();
        fields.forEach(field -> key.add(document.get(field)));
        return key;
    }

    /** The documents that it wrote, by collection and id; nothing for one that it deleted. */
    Map<String, Map<Object, Optional<Document>>> changes() {
        Map<String, Map<Object, Optional<Document>>> changes = new LinkedHashMap<>();
        written.forEach((collection, ids) -> {
            Map<Object, Document> mine = byId(server.documents(name, collection));
            Map<Object, Optional<Document>> byId = new LinkedHashMap<>();
            ids.forEach(id -> byId.put(id, Optional.ofNullable(mine.get(id))));
            changes.put(collection, byId);
        });
        return changes;
    }

    private static Map<Object, Document> byId(List<Document> documents) {
        Map<Object, Document> byId = new LinkedHashMap<>();
        documents.forEach(document -> byId.put(document.get("_id"), document));
        return byId;
    }
}
