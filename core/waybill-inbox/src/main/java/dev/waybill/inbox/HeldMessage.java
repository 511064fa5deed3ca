package dev.waybill.inbox;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A message that was received and is not finished. */
final class HeldMessage {
    final Subscription from;
    final InboundMessage message;
    /** The event, or why the message cannot be read. */
    final @Nullable ReceivedEvent event;

    final @Nullable String malformed;
    /** Size of the message when it arrived. */
    final long bytes;

    private final boolean batchable;
    // The following fields are used only by the thread that works on its key.

    /** Failed calls of its handler. */
    int attempts;
    /** How often a dependency of its handler was unavailable. */
    int timesAway;
    /** Describes that outage. */
    String reasonAway = "";
    /** Start of its wait for a dependency: when it found it unavailable, or first had to wait for others of its type. */
    Instant waitsSince = Instant.MIN;
    /** When it last asked to be handled. */
    Instant triedAt = Instant.MIN;
    /** Whether its handler took long to fail with an unavailable dependency. */
    boolean slow;
    /** Whether it is tried independently of others of its type. */
    boolean passedBy;
    /** Conflicts of its transaction. */
    int conflicts;
    /** Number of handled events of its type when it last found a dependency unavailable. */
    long handledWhenAway;
    /** Set once it was given up. */
    @Nullable GivenUp givenUp;
    /** The form of its next letter. */
    DeadLetter letter = DeadLetter.WHOLE;

    private HeldMessage(
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

    static HeldMessage readable(Subscription from, ReceivedEvent event, boolean batchable) {
        return new HeldMessage(from, event.message(), event, null, batchable);
    }

    static HeldMessage malformed(Subscription from, InboundMessage message, String why) {
        return new HeldMessage(from, message, null, why, false);
    }

    /**
     * A dependency of its handler was unavailable.
     *
     * @param longTime an attempt of this duration counts as slow
     */
    void away(Instant now, String reason, Duration longTime) {
        timesAway++;
        reasonAway = reason;
        waitsSince = now;
        slow = !now.isBefore(triedAt.plus(longTime));
    }

    /** Whether it may share a transaction with others. One that found a dependency unavailable could make them fail too. */
    boolean isBatchable() {
        return batchable && timesAway == 0;
    }

    /** The type of its event, if it could be read. */
    String type() {
        return event == null ? "" : event.type();
    }

    /** A message without a key has no order with other messages. */
    Object key() {
        byte[] key = message.key();
        return key == null ? this : Utf8.wrap(key);
    }
}
