package dev.waybill.inbox;

import dev.waybill.InboxBusyException;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionsAwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Whose fault it is that an event was not handled. */
enum Failure {
    /** The event's, and trying again is of no use. */
    PERMANENT,
    /** Nobody's: something is away. */
    AWAY,
    /** Nobody's: its transaction lost against another one. */
    CONFLICT,
    /** Nobody's: another consumer is at work on the event. */
    BUSY,
    /** The event's, as far as is known. */
    FAILED;

    /** Causes of causes that are looked at: a chain may be a ring. */
    private static final int MOST_CAUSES = 30;

    static Failure of(Throwable thrown, Predicate<Throwable> meansAway) {
        List<Throwable> chain = chain(thrown);
        if (chain.stream().anyMatch(PermanentFailureException.class::isInstance)) {
            return PERMANENT;
        }
        if (chain.stream().anyMatch(InboxBusyException.class::isInstance)) {
            return BUSY;
        }
        try {
            boolean away =
                    chain.stream().anyMatch(cause -> cause instanceof DependencyAwayException || meansAway.test(cause));
            return away ? AWAY : of(FailureKind.of(thrown));
        } catch (RuntimeException | Error e) {
            // Whoever was asked could not look at it; what our own transactions say is known all the same.
            return chain.stream().anyMatch(TransactionsAwayException.class::isInstance) ? AWAY : FAILED;
        }
    }

    private static Failure of(FailureKind kind) {
        return switch (kind) {
            case AWAY -> AWAY;
            case CONFLICT -> CONFLICT;
            case FAILED -> FAILED;
        };
    }

    /** Somebody else's exception: its methods may throw too. */
    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        try {
            for (Throwable each = thrown; each != null && chain.size() < MOST_CAUSES; each = each.getCause()) {
                chain.add(each);
            }
        } catch (RuntimeException | Error e) {
            return chain;
        }
        return chain;
    }

    /** What it says, or else what it is. */
    static String messageOf(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null || message.isBlank() ? thrown.getClass().getName() : message;
        } catch (RuntimeException | Error e) {
            return thrown.getClass().getName();
        }
    }
}
