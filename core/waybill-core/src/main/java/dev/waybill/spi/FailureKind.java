package dev.waybill.spi;

import dev.waybill.InboxBusyException;

/**
 * Whose fault it is that something was thrown while an event was handled. Clients of databases and services say it by many
 * exceptions; each module knows those of its own client ({@link FailureClassifier}), and those of the network are known here.
 */
public enum FailureKind {
    /**
     * Something that is needed is absent, does not answer in time, or cannot take work now: the database, Redis, another
     * service. Wait for it, for as long as it takes; nothing is counted against the event.
     */
    AWAY,
    /** Lost against somebody else who did something at the same time. Try again soon; nothing is counted against the event. */
    CONFLICT,
    /** Nothing says that it is one of the others: the event or its handler is at fault. */
    FAILED;

    /**
     * Looks at the exception, at its causes, at what a batch of statements chained to it, and at what was suppressed: the first
     * of them that is not {@link #FAILED} decides.
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
        if (one instanceof TransactionsAwayException || NetworkFailure.isOne(one)) {
            return AWAY;
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
