package dev.waybill.inbox;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A message that was taken from its source and is not done with. */
final class Held {
    final Subscription from;
    final InboundMessage message;
    /** What it was read as, or else why it cannot be read. */
    final @Nullable ReceivedEvent event;

    final @Nullable String malformed;
    /** Of its message, as it arrived. */
    final long bytes;

    private final boolean batchable;
    // What follows is looked at only by whoever works on its key.

    /** How often its handler was called and failed. */
    int attempts;
    /** How often something its handler needs was away. */
    int timesAway;
    /** What it was, in words. */
    String reasonAway = "";
    /** Since when it waits for something that is away: when it found that, or first had to wait for others of its type. */
    Instant waitsSince = Instant.MIN;
    /** When its handler was last about to be called. */
    Instant triedAt = Instant.MIN;
    /** Whether it took long to find something away. */
    boolean slow;
    /** Whether it was let in to try without waiting for others of its type. */
    boolean passedBy;
    /** How often its transaction lost against another one. */
    int conflicts;
    /** How many events of its type had been handled when that was last so. */
    long handledWhenAway;
    /** Set when it is on its way to the dead letters. */
    @Nullable GivenUp givenUp;
    /** The form of its next letter. */
    DeadLetter letter = DeadLetter.WHOLE;

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
        this.bytes = message.bytes();
        this.batchable = batchable;
    }

    static Held readable(Subscription from, ReceivedEvent event, boolean batchable) {
        return new Held(from, event.message(), event, null, batchable);
    }

    static Held malformed(Subscription from, InboundMessage message, String why) {
        return new Held(from, message, null, why, false);
    }

    /**
     * Something its handler needs was away.
     *
     * @param longTime with such an attempt it is slow
     */
    void away(Instant now, String reason, Duration longTime) {
        timesAway++;
        reasonAway = reason;
        waitsSince = now;
        slow = !now.isBefore(triedAt.plus(longTime));
    }

    /** Whether it may share its transaction with others. One that found something away might take them down with it. */
    boolean isBatchable() {
        return batchable && timesAway == 0;
    }

    /** The type of its event, as far as it could be read. */
    String type() {
        return event == null ? "" : event.type();
    }

    /** A message without a key is in order with nothing but itself. */
    Object key() {
        byte[] key = message.key();
        return key == null ? this : Utf8.wrap(key);
    }
}
