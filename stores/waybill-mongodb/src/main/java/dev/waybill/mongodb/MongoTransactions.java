package dev.waybill.mongodb;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.waybill.Transactions;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;

/**
 * Transactions in sessions of a client; a replica set or a sharded cluster is needed. They read one snapshot and are committed by a
 * majority of the servers. Safe for use by many threads.
 */
public final class MongoTransactions implements Transactions<ClientSession> {
    private static final int MOST_COMMITS = 3;
    private static final TransactionOptions SAFE = TransactionOptions.builder()
            .readPreference(ReadPreference.primary())
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY)
            .build();

    private final MongoClient client;

    private MongoTransactions(MongoClient client) {
        this.client = client;
    }

    /**
     * @param client is closed by the caller
     */
    public static MongoTransactions on(MongoClient client) {
        return new MongoTransactions(client);
    }

    @Override
    public <R, E extends Exception> R call(Work<ClientSession, R, E> work) throws E {
        try (ClientSession session = open()) {
            try {
                R result = work.in(session);
                commit(session);
                return result;
            } catch (Throwable e) {
                abort(session, e);
                MongoFailure failure = MongoFailure.of(e);
                if (failure == MongoFailure.CONFLICT) {
                    throw new TransactionConflictException(
                            "The transaction was rolled back by a conflict with another one.", e);
                }
                if (failure == MongoFailure.UNAVAILABLE) {
                    throw unavailable("interrupted the transaction", e);
                }
                throw e;
            }
        }
    }

    private ClientSession open() {
        try {
            ClientSession session = client.startSession();
            session.startTransaction(SAFE);
            return session;
        } catch (MongoException e) {
            throw unavailable("cannot be reached", e);
        }
    }

    /** A commit whose answer was lost may be repeated: it takes effect once. */
    static void commit(ClientSession session) {
        for (int attempt = 1; ; attempt++) {
            try {
                session.commitTransaction();
                return;
            } catch (MongoException e) {
                boolean unknown = e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
                if (!unknown || attempt == MOST_COMMITS) {
                    throw e;
                }
            }
        }
    }

    /** If it fails, the server aborts the transaction itself after its timeout. */
    private static void abort(ClientSession session, Throwable because) {
        try {
            if (session.hasActiveTransaction()) {
                session.abortTransaction();
            }
        } catch (MongoException e) {
            because.addSuppressed(e);
        }
    }

    private static TransactionsUnavailableException unavailable(String what, Throwable cause) {
        return new TransactionsUnavailableException("MongoDB " + what + " (" + cause.getMessage() + ").", cause);
    }
}
