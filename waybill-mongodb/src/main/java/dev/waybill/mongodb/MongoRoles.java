package dev.waybill.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Roles for an outbox in MongoDB: commands for whoever administers the server. MongoDB grants collections and not fields, so
 * whoever may list events may read them whole, and an operator writes the audit as the command does.
 */
public final class MongoRoles {
    private static final List<String> READ = List.of("find");
    private static final List<String> WRITE = List.of("find", "insert", "update", "remove");
    /** Entries are added by an upsert, since only an update can ask for the server's time. */
    private static final List<String> ADD = List.of("find", "insert", "update");

    private final String database;
    private final String outbox;

    private MongoRoles(String database, String outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    /** The {@code createRole} commands for producer, relay, viewer and operator of an outbox, for its database. */
    public static List<BsonDocument> commands(String database, String outbox) {
        MongoRoles roles = new MongoRoles(database, outbox);
        return List.of(
                roles.role("producer", roles.on(outbox, List.of("insert"))),
                roles.role(
                        "relay",
                        roles.on(outbox, WRITE),
                        roles.on(OutboxCollections.RELAYS, WRITE),
                        roles.on(OutboxCollections.AUDIT, ADD)),
                roles.role(
                        "viewer",
                        roles.on(outbox, List.of("find", "listIndexes")),
                        roles.on(OutboxCollections.RELAYS, READ),
                        roles.on(OutboxCollections.AUDIT, READ)),
                roles.role(
                        "operator",
                        roles.on(outbox, List.of("find", "update", "remove", "listIndexes")),
                        roles.on(OutboxCollections.RELAYS, WRITE),
                        roles.on(OutboxCollections.AUDIT, ADD)));
    }

    /** The same as a script for {@code mongosh}, connected to the database. */
    public static String script(String database, String outbox) {
        return commands(database, outbox).stream()
                .map(command -> "db.runCommand(" + command.toJson() + ");\n")
                .collect(Collectors.joining());
    }

    private BsonDocument role(String name, BsonDocument... privileges) {
        return new BsonDocument("createRole", new BsonString("waybill_" + outbox + "_" + name))
                .append("privileges", new BsonArray(List.of(privileges)))
                .append("roles", new BsonArray());
    }

    private BsonDocument on(String collection, List<String> actions) {
        List<BsonString> names = new ArrayList<>();
        actions.forEach(action -> names.add(new BsonString(action)));
        return new BsonDocument(
                        "resource",
                        new BsonDocument("db", new BsonString(database))
                                .append("collection", new BsonString(collection)))
                .append("actions", new BsonArray(names));
    }
}
