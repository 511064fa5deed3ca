package dev.waybill.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** Where a consumer's messages come from. Safe for use by many threads. */
public interface MessageSource {

    /**
     * Joins those who consume.
     *
     * @throws SourceException when the broker cannot be reached
     */
    Subscription subscribe(Listener listener);

    /** Hears of messages that are being given to somebody else. */
    interface Listener {
        /**
         * Called within {@link Subscription#poll} or {@link Subscription#close}, before another gets them: finish what is at
         * work, acknowledge it, and forget the rest.
         */
        void revoked(Subscription from, Predicate<InboundMessage> whose);
    }

    /**
     * Messages until it is closed. One thread. After a {@link SourceException} it is of no more use: close it and subscribe
     * anew; what was not acknowledged comes again.
     */
    interface Subscription extends AutoCloseable {
        /**
         * What has arrived, in order per key, waiting for it at most the given time.
         *
         * @param atMost takes no more than so many; with 0 it takes none, and stays among those who consume
         */
        List<InboundMessage> poll(Duration wait, int atMost);

        /** These are done with and must not come again; what was polled before them may still be open. */
        void acknowledge(Collection<InboundMessage> done);

        /** Makes what was acknowledged durable and leaves; the rest comes again, here or elsewhere. Never throws. */
        @Override
        void close();
    }
}
