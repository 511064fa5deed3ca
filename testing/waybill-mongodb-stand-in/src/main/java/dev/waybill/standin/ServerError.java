package dev.waybill.standin;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Errors of a MongoDB server, with the labels it gives them. */
public enum ServerError {
    WRITE_CONFLICT(112, "WriteConflict"),
    NO_SUCH_TRANSACTION(251, "NoSuchTransaction"),
    SHUTDOWN_IN_PROGRESS(91, "ShutdownInProgress"),
    PRIMARY_STEPPED_DOWN(189, "PrimarySteppedDown"),
    INTERRUPTED_AT_SHUTDOWN(11600, "InterruptedAtShutdown"),
    MAX_TIME_EXPIRED(50, "MaxTimeMSExpired"),
    OUT_OF_DISK_SPACE(14031, "OutOfDiskSpace");

    private final int code;
    private final String codeName;

    ServerError(int code, String codeName) {
        this.code = code;
        this.codeName = codeName;
    }

    int code() {
        return code;
    }

    String codeName() {
        return codeName;
    }

    private boolean isOfServersState() {
        return this == SHUTDOWN_IN_PROGRESS || this == PRIMARY_STEPPED_DOWN || this == INTERRUPTED_AT_SHUTDOWN;
    }

    /** @param command which is answered so */
    List<String> labels(String command, boolean inTransaction) {
        List<String> labels = new ArrayList<>();
        boolean ends = Set.of("commitTransaction", "abortTransaction").contains(command);
        boolean undone = this == WRITE_CONFLICT || this == NO_SUCH_TRANSACTION;
        if (inTransaction && (undone || (isOfServersState() && !ends))) {
            labels.add("TransientTransactionError");
        }
        if (isOfServersState() && (ends || !inTransaction)) {
            labels.add("RetryableWriteError");
        }
        return labels;
    }

    public BsonDocument reply(String command, boolean inTransaction) {
        BsonArray labels = new BsonArray();
        labels(command, inTransaction).forEach(label -> labels.add(new BsonString(label)));
        return new BsonDocument("ok", new BsonDouble(0))
                .append("code", new BsonInt32(code))
                .append("codeName", new BsonString(codeName))
                .append("errmsg", new BsonString("injected " + codeName))
                .append("errorLabels", labels);
    }
}
