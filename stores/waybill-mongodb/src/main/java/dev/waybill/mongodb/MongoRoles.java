package dev.waybill.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Roles for an outbox or an inbox in MongoDB: commands for the administrator of the server. MongoDB grants access to collections, and not
 * to fields or single documents. So a user that may list events may read them whole; a user that may add an entry to the audit may
 * change others; a producer may change events; and outboxes of one database share the collections of relays and of the audit. Outboxes that
 * must not touch each other get a database each.
 */
public final class MongoRoles {
    private static final List<String> READ = List.of("find");
    /** Relays and operators check that the indexes exist. */
    private static final List<String> READ_WITH_INDEXES = List.of("find", "listIndexes");

    private static final List<String> CHANGE_AND_DELETE = List.of("find", "listIndexes", "update", "remove");
    /** New documents are written by upserts: only an update can use the server's time, or keep an existing document. */
    private static final List<String> UPSERT = List.of("insert", "update");

    private static final List<String> READ_AND_UPSERT = List.of("find", "insert", "update");

    private final String database;
    /** The roles are named after this collection. */
    private final String collection;

    private MongoRoles(String database, String collection) {
        this.database = database;
        this.collection = collection;
    }

    /** The {@code createRole} commands for producer, relay, viewer and operator of an outbox, for its database. */
    public static List<BsonDocument> commands(String database, String outbox) {
        MongoRoles roles = new MongoRoles(database, outbox);
        return List.of(
                roles.role("producer", roles.on(outbox, UPSERT)),
                roles.role(
                        "relay",
                        roles.on(outbox, CHANGE_AND_DELETE),
                        roles.on(OutboxCollections.RELAYS, READ_AND_UPSERT)),
                roles.role(
                        "viewer",
                        roles.on(outbox, READ_WITH_INDEXES),
                        roles.on(OutboxCollections.RELAYS, READ),
                        roles.on(OutboxCollections.AUDIT, READ)),
                roles.role(
                        "operator",
                        roles.on(outbox, CHANGE_AND_DELETE),
                        roles.on(OutboxCollections.RELAYS, List.of("find", "update")),
                        roles.on(OutboxCollections.AUDIT, READ_AND_UPSERT)));
    }

    /** The {@code createRole} command for a consumer that has its inbox in that database. Its own collections are not in it. */
    public static List<BsonDocument> inboxCommands(String database, MongoInboxOptions inbox) {
        MongoRoles roles = new MongoRoles(database, inbox.collection());
        return List.of(roles.role(
                "consumer", roles.on(inbox.collection(), UPSERT), roles.on(inbox.versions(), READ_AND_UPSERT)));
    }

    /** The commands for an outbox as a script for {@code mongosh}, connected to the database. */
    public static String script(String database, String outbox) {
        return script(commands(database, outbox));
    }

    /** The same for an inbox. */
    public static String inboxScript(String database, MongoInboxOptions inbox) {
        return script(inboxCommands(database, inbox));
    }

    private static String script(List<BsonDocument> commands) {
        return commands.stream()
                .map(command -> "db.runCommand(" + command.toJson() + ");\n")
                .collect(Collectors.joining());
    }

    private BsonDocument role(String name, BsonDocument... privileges) {
        return new BsonDocument("createRole", new BsonString("waybill_" + collection + "_" + name))
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
