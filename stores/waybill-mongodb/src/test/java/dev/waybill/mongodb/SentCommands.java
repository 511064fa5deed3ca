package dev.waybill.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;

/** The commands that the driver sent, in order, without its internal ones. */
final class SentCommands implements CommandListener {
    private static final Set<String> OF_TRANSACTIONS =
            Set.of("find", "insert", "update", "commitTransaction", "abortTransaction");

    /** One command that was sent. */
    record Sent(String name, BsonDocument command) {
        Object session() {
            return command.get("lsid");
        }

        Object transaction() {
            return command.get("txnNumber");
        }

        boolean begins() {
            return command.containsKey("startTransaction");
        }
    }

    private final List<Sent> sent = new CopyOnWriteArrayList<>();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        if (OF_TRANSACTIONS.contains(event.getCommandName())) {
            sent.add(new Sent(
                    event.getCommandName(),
                    BsonDocument.parse(event.getCommand().toJson())));
        }
    }

    List<Sent> all() {
        return List.copyOf(sent);
    }

    List<String> names() {
        return sent.stream().map(Sent::name).toList();
    }

    void forget() {
        sent.clear();
    }
}
