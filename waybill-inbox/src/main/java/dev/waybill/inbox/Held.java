package dev.waybill.inbox;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.Utf8;
import org.jspecify.annotations.Nullable;

/** A message that was taken from its source and is not done with. */
final class Held {
    final Subscription from;
    final InboundMessage message;
    /** What it was read as, or else why it cannot be read. */
    final @Nullable ReceivedEvent event;

    final @Nullable String malformed;
    /** Whether it may share its transaction with others. */
    final boolean batchable;
    /** How often its handler was called and failed. Only whoever works on its key looks at this. */
    int attempts;

    private Held(
            Subscription from,
            InboundMessage message,
            @Nullable ReceivedEvent event,
            @Nullable String malformed,
            boolean batchable) {
        this.from = from;
        this.message = message;
        this.event = event;
        this.malformed = malformed;
        this.batchable = batchable;
    }

    static Held readable(Subscription from, ReceivedEvent event, boolean batchable) {
        return new Held(from, event.message(), event, null, batchable);
    }

    static Held malformed(Subscription from, InboundMessage message, String why) {
        return new Held(from, message, null, why, false);
    }

    /** A message without a key is in order with nothing but itself. */
    Object key() {
        byte[] key = message.key();
        return key == null ? this : Utf8.wrap(key);
    }
}
