package dev.waybill.standin;

import java.util.Optional;
import org.bson.BsonDocument;

/** Commands of clients that are to fail on their way, for tests. */
@FunctionalInterface
public interface CommandFaults {
    CommandFaults NONE = requestId -> Optional.empty();

    /**
     * What happens to one command.
     *
     * @param isExecuted whether the server gets it
     * @param answer instead of the server's; without one, the connection is closed
     */
    record Fault(boolean isExecuted, Optional<BsonDocument> answer) {}

    /**
     * The fault of a command. It is asked for once.
     *
     * @param requestId of the message on the wire
     */
    Optional<Fault> take(int requestId);
}
