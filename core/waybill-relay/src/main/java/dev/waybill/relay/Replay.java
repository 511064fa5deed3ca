package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.admin.ReplayStatus.State;
import dev.waybill.spi.StoreException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replay that runs in this process until it ends or is closed. A closed replay stays in the store and can be resumed;
 * {@link ReplayAdmin#cancel} ends it. Safe for use by many threads.
 *
 * <pre>{@code
 * admin.start(name, query, by);
 * try (Replay replay = Replay.run(name, admin, plan)) {
 *     while (!replay.awaitEnd(Duration.ofSeconds(1))) {
 *         System.out.println(replay.statistics().published());
 *     }
 * }
 * }</pre>
 */
public final class Replay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Replay.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final RelayName name;
    private final ReplayAdmin admin;
    private final Relay relay;
    private final Signal closing = new Signal();
    private volatile boolean closed;

    private Replay(RelayName name, ReplayAdmin admin, Relay relay) {
        this.name = name;
        this.admin = admin;
        this.relay = relay;
    }

    /**
     * @param name of a replay that was started
     * @param like supplies destination, route, format and options; its name and store are not used. The destination must not be
     *     in use by a running relay. {@link RelayOptions#rate(int)} keeps the replay from slowing down other relays
     * @throws IllegalStateException if the destination is in use
     */
    public static Replay run(RelayName name, ReplayAdmin admin, RelayPlan like) {
        return new Replay(name, admin, like.replay(name, admin.store()).start());
    }

    /** Status in the store; empty if the replay was dropped. */
    public Optional<ReplayStatus> status() {
        return admin.replay(name);
    }

    /** Counters of this process. */
    public RelayStatistics statistics() {
        return relay.statistics();
    }

    /**
     * Waits until the replay is complete, cancelled, dropped or closed, or until the time has passed.
     *
     * @return whether it has ended
     */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!closed && !hasEnded()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            closing.await(Duration.ofNanos(Math.min(left, BETWEEN_LOOKS.toNanos())));
        }
        return true;
    }

    /** A complete replay continues while requeued events are left. */
    private boolean hasEnded() {
        try {
            Optional<ReplayStatus> status = status();
            return status.isEmpty()
                    || status.get().state() == State.CANCELLED
                    || (status.get().state() == State.THROUGH
                            && status.get().counts().parked() == 0);
        } catch (StoreException e) {
            // The relay logs it and retries.
            log.debug("Replay {}: its status cannot be read now.", name, e);
            return false;
        }
    }

    /** Stops publishing, waits for what is in flight and saves the position. */
    @Override
    public void close() {
        closed = true;
        closing.raise();
        relay.close();
    }
}
