package dev.waybill.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Which actions on which collections MongoDB asks for the commands that were sent, by its manual ("Privilege Actions"). */
final class NeededActions implements CommandListener {
    /** Commands about a connection, a session or the server itself, which need no privilege. */
    private static final Set<String> FOR_ALL = Set.of(
            "hello",
            "isMaster",
            "ping",
            "buildInfo",
            "endSessions",
            "getMore",
            "killCursors",
            "commitTransaction",
            "abortTransaction");

    private final Set<String> needed = new ConcurrentSkipListSet<>();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        String name = event.getCommandName();
        BsonDocument command = BsonDocument.parse(event.getCommand().toJson());
        if (FOR_ALL.contains(name)) {
            return;
        }
        for (String action : actions(name, command)) {
            BsonValue on = command.get(name);
            needed.add((on.isString() ? on.asString().getValue() : "the server") + " " + action);
        }
    }

    private static List<String> actions(String name, BsonDocument command) {
        return switch (name) {
            case "find", "insert", "listIndexes" -> List.of(name);
            case "aggregate", "count", "distinct" -> List.of("find");
            case "delete" -> List.of("remove");
            case "findAndModify" -> isUpsert(command) ? List.of("find", "update", "insert") : List.of("find", "update");
            case "update" ->
                command.getArray("updates").stream().map(BsonValue::asDocument).anyMatch(NeededActions::isUpsert)
                        ? List.of("update", "insert")
                        : List.of("update");
            default -> List.of("something for " + name);
        };
    }

    private static boolean isUpsert(BsonDocument change) {
        return change.getBoolean("upsert", BsonBoolean.FALSE).getValue();
    }

    Set<String> all() {
        return new TreeSet<>(needed);
    }

    void forget() {
        needed.clear();
    }
}
