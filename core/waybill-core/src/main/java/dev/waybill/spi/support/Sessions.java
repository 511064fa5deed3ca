package dev.waybill.spi.support;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Untraced;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a destination, one after the other. A session ends when the broker is unavailable or the publisher aborts.
 * After the broker was unavailable, every publish is answered Unavailable without being sent until the publisher has seen all
 * answers of that session, because it could contain messages that belong behind failed ones. Then the next session is opened.
 *
 * @param <S> the destination's sessions
 */
public final class Sessions<S extends Sessions.Session> {
    private final Supplier<? extends S> opening;
    private final Unavailable aborted;
    private final Unavailable closedByUs;
    private final AtomicReference<@Nullable S> session = new AtomicReference<>();
    private volatile boolean closed;
    /** Number of the last publish of the current session. Used by the publisher's thread. */
    private long lastPublish;

    /** One connection to the broker. After its end it sends nothing, and all open messages are unavailable. */
    public interface Session {
        CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen);

        /** Why it has ended; null while it is open. */
        @Nullable Unavailable end();

        /** Ends the session. Idempotent. */
        void abort(Unavailable why);

        /** Sends the messages already published, within the configured time, and ends the session. */
        void close(Unavailable why);
    }

    /**
     * @param broker its name and address, for messages
     * @param opening opens a session; need not wait for the broker
     */
    public Sessions(String broker, Supplier<? extends S> opening) {
        this.opening = opening;
        this.aborted = new Unavailable(
                broker + " had not acknowledged when the relay stopped publishing; the event is sent again");
        this.closedByUs = new Unavailable("the connection to " + broker + " is closed");
    }

    /** The current session; null if there is none. */
    public @Nullable S current() {
        return session.get();
    }

    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        if (closed) {
            return unavailable(batch, closedByUs);
        }
        return Untraced.call(() -> publishUntraced(batch, seen));
    }

    private CompletionStage<List<Delivery>> publishUntraced(List<OutboundMessage> batch, Seen seen) {
        S current = session.get();
        if (current == null || (current.end() != null && lastPublish < seen.below())) {
            current = opening.get();
            session.set(current);
        }
        lastPublish = seen.number();
        Unavailable end = current.end();
        return end == null ? current.publish(batch, seen) : unavailable(batch, end);
    }

    public void abort() {
        S current = session.getAndSet(null);
        if (current != null) {
            current.abort(aborted);
        }
    }

    public void close() {
        closed = true;
        S current = session.getAndSet(null);
        if (current != null) {
            current.close(closedByUs);
        }
    }

    private static CompletionStage<List<Delivery>> unavailable(List<OutboundMessage> batch, Unavailable why) {
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), why));
    }

    /** A session that could not be opened. */
    public record NotOpened(Unavailable end) implements Session {
        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            return unavailable(batch, end);
        }

        @Override
        public void abort(Unavailable why) {}

        @Override
        public void close(Unavailable why) {}
    }
}
