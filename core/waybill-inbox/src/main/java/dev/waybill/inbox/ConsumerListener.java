package dev.waybill.inbox;

import dev.waybill.Inbox.Outcome;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.InboundMessage;
import java.util.Optional;

/**
 * Is told what a consumer does, for metrics and traces. Every method does nothing by default: a listener changes nothing, so
 * ignoring a call is safe. Calls come on the consumer's workers, several at a time: a slow listener slows the consumer down.
 * What a listener throws is logged and has no other effect.
 */
public interface ConsumerListener {
    /**
     * The handler of this event is about to be called, on this thread, in a transaction. Duplicates reach no handler.
     *
     * @return is told when the handler has returned
     */
    default Handling handling(String consumer, ReceivedEvent event) {
        return Handling.IGNORED;
    }

    /** One call of a handler. */
    interface Handling {
        Handling IGNORED = failure -> {};

        /**
         * The handler has returned or thrown; its transaction is not committed yet. On the thread of
         * {@link ConsumerListener#handling}. Called exactly once.
         *
         * @param failure what the handler threw
         */
        void ended(Optional<Throwable> failure);
    }

    /** The transaction with the event's effect is committed, or the event needed none. */
    default void handled(String consumer, ReceivedEvent event, Outcome outcome) {}

    /** The dead letter of the message is acknowledged by the broker. */
    default void dead(String consumer, InboundMessage message, String error) {}
}
