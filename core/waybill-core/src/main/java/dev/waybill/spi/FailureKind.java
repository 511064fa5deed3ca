package dev.waybill.spi;

import dev.waybill.InboxBusyException;

/**
 * The cause of an exception that was thrown while an event was handled. Each module classifies the exceptions of its own client
 * ({@link FailureClassifier}); exceptions of the network are classified here.
 */
public enum FailureKind {
    /**
     * A required system (the database, Redis, another service) is unavailable, overloaded, or does not answer in time. Wait until
     * it is available; no attempt is counted.
     */
    UNAVAILABLE,
    /** Rolled back by a conflict with a concurrent transaction. Retry soon; no attempt is counted. */
    CONFLICT,
    /** Any other exception: caused by the event or its handler. */
    FAILED;

    /**
     * Classifies the exception, its causes, the exceptions that a batch of statements chained to it, and suppressed ones: the
     * first that is not {@link #FAILED} decides.
     */
    public static FailureKind of(Throwable thrown) {
        for (Throwable one : ThrownTogether.with(thrown)) {
            FailureKind kind = ofOne(one);
            if (kind != FAILED) {
                return kind;
            }
        }
        return FAILED;
    }

    private static FailureKind ofOne(Throwable one) {
        if (one instanceof TransactionsUnavailableException || NetworkFailure.isOne(one)) {
            return UNAVAILABLE;
        }
        if (one instanceof TransactionConflictException || one instanceof InboxBusyException) {
            return CONFLICT;
        }
        for (FailureClassifier classifier : ClassifiersOnClassPath.ALL) {
            FailureKind kind = classifier.kindOf(one);
            if (kind != FAILED) {
                return kind;
            }
        }
        return FAILED;
    }
}
