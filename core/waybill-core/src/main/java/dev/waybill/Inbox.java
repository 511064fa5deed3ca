package dev.waybill;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Records which events a consumer has handled, in the transaction of the effect: both are committed or neither. However often
 * an event arrives, its effect happens once. Safe for use by many threads, each with its own transaction.
 *
 * @param <T> the transaction: {@code java.sql.Connection}, MongoDB's {@code ClientSession}, …
 */
public interface Inbox<T> {

    /**
     * Applies the effect unless this consumer has applied it before. Concurrent calls for one event wait for each other.
     *
     * @param consumer the name of the consumer; every consumer of an event applies its own effect
     * @param effect runs at most once for this consumer and event, in the given transaction; when it throws, roll the
     *     transaction back, and the event may be handled again
     * @throws InboxException when the inbox could not be read or written; roll the transaction back
     */
    <E extends Exception> Outcome handleOnce(T transaction, String consumer, Incoming event, Effect<T, E> effect)
            throws E;

    /**
     * {@link #handleOnce} for each message, in this order. Some inboxes record all of them in one statement.
     *
     * @param incoming returns the identity of a message; the same message may occur twice
     * @param effect called with each message that is new
     * @return one outcome for each message, in the same order
     */
    default <M, E extends Exception> List<Outcome> handleAll(
            T transaction,
            String consumer,
            List<M> messages,
            Function<? super M, Incoming> incoming,
            EffectOf<T, M, E> effect)
            throws E {
        List<Outcome> outcomes = new ArrayList<>(messages.size());
        for (M message : messages) {
            outcomes.add(
                    handleOnce(transaction, consumer, incoming.apply(message), open -> effect.apply(open, message)));
        }
        return outcomes;
    }

    /** What each of several messages does to the consumer's data. */
    @FunctionalInterface
    interface EffectOf<T, M, E extends Exception> {
        void apply(T transaction, M message) throws E;
    }

    /** What an event does to the consumer's data. */
    @FunctionalInterface
    interface Effect<T, E extends Exception> {
        void apply(T transaction) throws E;
    }

    /** How an event was handled. */
    sealed interface Outcome {
        Duplicate DUPLICATE = new Duplicate();
        Handled HANDLED = new Handled(OptionalLong.empty());

        /**
         * The effect was applied.
         *
         * @param gapAfter the last version seen of its entity, if versions between that one and this one are missing
         */
        record Handled(OptionalLong gapAfter) implements Outcome {}

        /** The effect was already applied earlier. */
        record Duplicate() implements Outcome {}

        /**
         * A later version of its entity was already handled; this one is recorded but not applied.
         *
         * @param lastSeen the version that has been handled
         */
        record Stale(long lastSeen) implements Outcome {}

        /** The outcome for an event of this version, given the last version seen of its entity. */
        static Outcome ofVersion(OptionalLong lastSeen, long version) {
            if (lastSeen.isEmpty()) {
                return HANDLED;
            }
            long last = lastSeen.getAsLong();
            if (version <= last) {
                return new Stale(last);
            }
            return version == last + 1 ? HANDLED : new Handled(lastSeen);
        }
    }
}
