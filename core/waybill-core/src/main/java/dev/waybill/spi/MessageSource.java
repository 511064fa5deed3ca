package dev.waybill.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** The source of a consumer's messages. Safe for use by many threads. */
public interface MessageSource {

    /**
     * Joins the group of consumers.
     *
     * @throws SourceException if the broker is unavailable
     */
    Subscription subscribe(Listener listener);

    /** Is told when messages are reassigned to another consumer. */
    interface Listener {
        /**
         * Called within {@link Subscription#poll} or {@link Subscription#close}, before another consumer receives them: finish the
         * messages in progress, acknowledge them, and drop the rest.
         */
        void revoked(Subscription from, Predicate<InboundMessage> whose);
    }

    /**
     * Receives messages until it is closed. One thread. After a {@link SourceException} it cannot be used: close it and subscribe
     * again; unacknowledged messages are delivered again.
     */
    interface Subscription extends AutoCloseable {
        /**
         * Messages that have arrived, in order per key; waits for them at most the given time.
         *
         * @param atMost maximum number of messages; with 0 it returns none, but stays in the group
         */
        List<InboundMessage> poll(Duration wait, int atMost);

        /** These messages must not be delivered again. Messages polled before them may be unacknowledged. */
        void acknowledge(Collection<InboundMessage> done);

        /** Commits the acknowledgements and leaves the group; other messages are delivered again. Never throws. */
        @Override
        void close();
    }
}
