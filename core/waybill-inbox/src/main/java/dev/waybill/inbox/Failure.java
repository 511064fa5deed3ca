package dev.waybill.inbox;

import dev.waybill.InboxBusyException;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionsUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Why an event was not handled. */
enum Failure {
    /** The event cannot be handled; a retry is useless. */
    PERMANENT,
    /** A dependency is unavailable; not counted as an attempt. */
    UNAVAILABLE,
    /** A transaction conflict; not counted as an attempt. */
    CONFLICT,
    /** Another consumer is handling the event; not counted as an attempt. */
    BUSY,
    /** Any other failure; counted as an attempt. */
    FAILED;

    /** Maximum length of the cause chain that is examined: a chain may be circular. */
    private static final int MOST_CAUSES = 30;

    static Failure of(Throwable thrown, Predicate<Throwable> meansUnavailable) {
        List<Throwable> chain = chain(thrown);
        if (chain.stream().anyMatch(PermanentFailureException.class::isInstance)) {
            return PERMANENT;
        }
        if (chain.stream().anyMatch(InboxBusyException.class::isInstance)) {
            return BUSY;
        }
        try {
            boolean away = chain.stream()
                    .anyMatch(cause -> cause instanceof DependencyUnavailableException || meansUnavailable.test(cause));
            return away ? UNAVAILABLE : of(FailureKind.of(thrown));
        } catch (Throwable e) {
            // The predicate or a classifier failed; Waybill's own exceptions are recognized without them.
            return chain.stream().anyMatch(TransactionsUnavailableException.class::isInstance) ? UNAVAILABLE : FAILED;
        }
    }

    private static Failure of(FailureKind kind) {
        return switch (kind) {
            case UNAVAILABLE -> UNAVAILABLE;
            case CONFLICT -> CONFLICT;
            case FAILED -> FAILED;
        };
    }

    /** Methods of other libraries' exceptions may throw. */
    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        try {
            for (Throwable each = thrown; each != null && chain.size() < MOST_CAUSES; each = each.getCause()) {
                chain.add(each);
            }
        } catch (Throwable e) {
            return chain;
        }
        return chain;
    }

    /** Its message, or its class if it has none. */
    static String messageOf(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null || message.isBlank() ? thrown.getClass().getName() : message;
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }
}
