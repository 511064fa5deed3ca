package dev.waybill.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** The queries of one collection: filters, sorts, limits and numbers of returned documents. */
final class Statements implements CommandListener {
    private static final Set<String> WITH_FILTERS = Set.of("find", "getMore", "aggregate", "update", "delete");

    private final String collection;
    private final List<Statement> all = new CopyOnWriteArrayList<>();
    private final Map<Long, Statement> cursors = new ConcurrentHashMap<>();
    private final Map<Integer, Statement> asked = new ConcurrentHashMap<>();

    /** One filter, and how many documents it has returned. */
    static final class Statement {
        private final String command;
        private final BsonDocument filter;
        private final BsonDocument sort;
        private final int limit;
        private int returned;
        private int withPayload;

        private Statement(String command, BsonDocument filter, BsonDocument sort, int limit) {
            this.command = command;
            this.filter = filter;
            this.sort = sort;
            this.limit = limit;
        }

        BsonDocument filter() {
            return filter;
        }

        BsonDocument sort() {
            return sort;
        }

        boolean isFind() {
            return command.equals("find");
        }

        /** 0 for none. */
        int limit() {
            return limit;
        }

        int returned() {
            return returned;
        }

        @Override
        public String toString() {
            return command + " " + filter.toJson() + " sorted by " + sort.toJson();
        }
    }

    Statements(String collection) {
        this.collection = collection;
    }

    List<Statement> all() {
        return List.copyOf(all);
    }

    int payloadsReturned() {
        return all.stream().mapToInt(statement -> statement.withPayload).sum();
    }

    void forget() {
        all.clear();
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        String name = event.getCommandName();
        if (!WITH_FILTERS.contains(name)) {
            return;
        }
        BsonDocument command = BsonDocument.parse(event.getCommand().toJson());
        if (name.equals("getMore")) {
            Statement known = cursors.get(command.getNumber("getMore").longValue());
            if (known != null) {
                asked.put(event.getRequestId(), known);
            }
            return;
        }
        BsonValue target = command.get(name);
        if (!target.isString() || !target.asString().getValue().equals(collection)) {
            return;
        }
        switch (name) {
            case "find" -> {
                Statement find = new Statement(
                        name,
                        command.getDocument("filter", new BsonDocument()),
                        command.getDocument("sort", new BsonDocument()),
                        command.getNumber("limit", new BsonInt32(0)).intValue());
                all.add(find);
                asked.put(event.getRequestId(), find);
            }
            case "aggregate" -> addMatch(command);
            case "update" -> addEach(name, command, "updates");
            default -> addEach(name, command, "deletes");
        }
    }

    /** A count of documents. */
    private void addMatch(BsonDocument command) {
        BsonDocument filter = new BsonDocument();
        int limit = 0;
        for (BsonValue stage : command.getArray("pipeline")) {
            filter = stage.asDocument().getDocument("$match", filter);
            limit = stage.asDocument().getNumber("$limit", new BsonInt32(limit)).intValue();
        }
        all.add(new Statement("count", filter, new BsonDocument(), limit));
    }

    /** Upserts by an id that is new are inserts. */
    private void addEach(String name, BsonDocument command, String which) {
        for (BsonValue each : command.getArray(which)) {
            if (!each.asDocument().containsKey("upsert")) {
                all.add(new Statement(name, each.asDocument().getDocument("q"), new BsonDocument(), 0));
            }
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        Statement statement = asked.remove(event.getRequestId());
        if (statement == null) {
            return;
        }
        BsonDocument cursor = event.getResponse().getDocument("cursor");
        List<BsonValue> batch = new ArrayList<>();
        batch.addAll(cursor.containsKey("firstBatch") ? cursor.getArray("firstBatch") : cursor.getArray("nextBatch"));
        statement.returned += batch.size();
        batch.forEach(document -> statement.withPayload += document.asDocument().containsKey(Field.PAYLOAD) ? 1 : 0);
        long id = cursor.getNumber("id", new BsonInt64(0)).longValue();
        if (id != 0) {
            cursors.put(id, statement);
        }
    }
}
