package dev.waybill.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import dev.waybill.spi.TlsFailure;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies errors of MongoDB. */
enum MongoFailure {
    /** A document with this id exists. */
    DUPLICATE,
    /** Lost a conflict with another transaction; safe to retry. */
    CONFLICT,
    /**
     * The server is unavailable, closed the connection, cannot accept work now or refuses the login, or the outcome of a commit is
     * unknown.
     */
    UNAVAILABLE,
    /** Any other error: the command is at fault. */
    OTHER;

    private static final int DUPLICATE_KEY = 11000;
    /** LockTimeout, LockBusy, WriteConflict, TransactionTooOld, NoSuchTransaction. */
    private static final Set<Integer> CONFLICTS = Set.of(24, 46, 112, 225, 251);

    /**
     * HostUnreachable, HostNotFound, AuthenticationFailed, MaxTimeMSExpired, WriteConcernFailed, NetworkTimeout,
     * ShutdownInProgress, FailedToSatisfyReadPreference, ReadConcernMajorityNotAvailableYet, PrimarySteppedDown,
     * NetworkInterfaceExceededTimeLimit, ExceededTimeLimit, SocketException, NotWritablePrimary, InterruptedAtShutdown,
     * InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary, OutOfDiskSpace.
     */
    private static final Set<Integer> UNAVAILABLE_CODES =
            Set.of(6, 7, 18, 50, 64, 89, 91, 133, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031);

    /** Examines causes, too: frameworks wrap the driver's exceptions. */
    static MongoFailure of(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MongoException mongo) {
                return ofOne(mongo);
            }
        }
        return OTHER;
    }

    static MongoFailure ofOne(MongoException e) {
        if (code(e) == DUPLICATE_KEY) {
            return DUPLICATE;
        }
        if (isOfConnection(e) || UNAVAILABLE_CODES.contains(code(e))) {
            return UNAVAILABLE;
        }
        boolean conflict =
                CONFLICTS.contains(code(e)) || e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        return conflict ? CONFLICT : OTHER;
    }

    private static boolean isOfConnection(MongoException e) {
        return e instanceof MongoSocketException
                || e instanceof MongoTimeoutException
                || e instanceof MongoNotPrimaryException
                || e instanceof MongoNodeIsRecoveringException
                || e instanceof MongoConnectionPoolClearedException
                || e instanceof MongoSecurityException
                || e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
    }

    static int code(MongoException e) {
        return e instanceof MongoBulkWriteException bulk
                        && !bulk.getWriteErrors().isEmpty()
                ? bulk.getWriteErrors().get(0).getCode()
                : e.getCode();
    }

    /**
     * The server's error without values, for logs: its messages quote refused values. Errors of the connection stay unchanged.
     */
    static MongoException withoutValues(MongoException e) {
        if (isOfConnection(e)) {
            return TlsFailure.of(e)
                    .<MongoException>map(
                            failure -> new MongoTimeoutException(failure.what() + " (" + e.getMessage() + ")"))
                    .orElse(e);
        }
        MongoException safe = new MongoException(code(e), "the server's error " + code(e));
        e.getErrorLabels().forEach(safe::addLabel);
        safe.setStackTrace(e.getStackTrace());
        return safe;
    }
}
