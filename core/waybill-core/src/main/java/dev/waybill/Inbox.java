package dev.waybill;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a consumer has already done. It is written in the transaction of the effect itself, so that both are kept or
 * neither: however often an event arrives, its effect happens once. Safe for use by many threads, each with its own
 * transaction.
 *
 * @param <T> the transaction: {@code java.sql.Connection}, MongoDB's {@code ClientSession}, …
 */
public interface Inbox<T> {

    /**
     * Applies the effect unless this consumer has applied it before. Two that arrive at once wait for each other.
     *
     * @param consumer the name of the consumer; every consumer of an event applies its own effect
     * @param effect runs at most once for this consumer and event, in the given transaction; when it throws, the transaction
     *     is to be rolled back, and the event may come again
     * @throws InboxException when the inbox could not be read or written; roll the transaction back
     */
    <E extends Exception> Outcome handleOnce(T transaction, String consumer, Incoming event, Effect<T, E> effect)
            throws E;

    /**
     * {@link #handleOnce} for each, in this order. An inbox that can writes all of them at once.
     *
     * @return one for each event, in their order
     */
    default <E extends Exception> List<Outcome> handleAll(
            T transaction, String consumer, List<Incoming> events, EffectOfOne<T, E> effect) throws E {
        List<Outcome> outcomes = new ArrayList<>(events.size());
        for (int i = 0; i < events.size(); i++) {
            int index = i;
            outcomes.add(handleOnce(transaction, consumer, events.get(i), open -> effect.apply(open, index)));
        }
        return outcomes;
    }

    /** What each of several events does. */
    @FunctionalInterface
    interface EffectOfOne<T, E extends Exception> {
        /**
         * @param index which of the events
         */
        void apply(T transaction, int index) throws E;
    }

    /** What an event does to the consumer's data. */
    @FunctionalInterface
    interface Effect<T, E extends Exception> {
        void apply(T transaction) throws E;
    }

    /** What was done with an event that arrived. */
    sealed interface Outcome {
        Duplicate DUPLICATE = new Duplicate();
        Handled HANDLED = new Handled(OptionalLong.empty());

        /**
         * The effect was applied.
         *
         * @param gapAfter the last version seen of its entity, when others between that and this one are missing
         */
        record Handled(OptionalLong gapAfter) implements Outcome {}

        /** It had been applied before. */
        record Duplicate() implements Outcome {}

        /**
         * A later version of its entity has been handled already; this one is recorded and not applied.
         *
         * @param lastSeen the version that has been handled
         */
        record Stale(long lastSeen) implements Outcome {}

        /** What is to be done with this version of an entity of which that one was the last to be seen. */
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
