package dev.waybill.relay;

import dev.waybill.RelayDefaults;
import dev.waybill.RetryPolicy;
import dev.waybill.spi.FiniteTime;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a relay works.
 *
 * @param batch how much one claim may return
 * @param inFlight how much may be in flight at the destination, and for how long
 * @param poll how often the store is polled when the relay is idle
 * @param retry when a failed event is retried
 * @param countOutages whether a destination that is unavailable counts as a failed attempt of the events that it was asked to
 *     send, so that a long outage makes them dead. Default: an outage counts nothing, and the relay waits as a whole
 * @param onDead what happens to the key of a dead event
 * @param lease how long another process waits before it takes over from one that died
 * @param grace how long a stop waits for what is in flight
 * @param rate maximum number of events per second; unlimited if absent
 * @param retention how long the store keeps published events. While the relay runs, older ones are deleted once every relay of
 *     the store has published them. If absent, this relay deletes nothing. Relays of one store that delete must use the same time
 */
public record RelayOptions(
        BatchSize batch,
        InFlight inFlight,
        Poll poll,
        RetryPolicy retry,
        boolean countOutages,
        OnDead onDead,
        Duration lease,
        Duration grace,
        OptionalInt rate,
        Optional<Duration> retention) {

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(500);

    private static final RelayOptions DEFAULTS = new RelayOptions(
            new BatchSize(RelayDefaults.standard().batch(), 4_000_000),
            new InFlight(5, 32_000_000),
            pollOf(RelayDefaults.standard()),
            RelayDefaults.standard().retry(),
            false,
            OnDead.PASS,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            OptionalInt.empty(),
            Optional.empty());

    public static RelayOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The defaults of an outbox, such as those of a preset layout:
     *
     * <pre>{@code
     * RelayOptions.of(TableLayout.orders().relayDefaults())
     * }</pre>
     */
    public static RelayOptions of(RelayDefaults outbox) {
        return DEFAULTS.batch(new BatchSize(outbox.batch(), DEFAULTS.batch.bytes()))
                .poll(pollOf(outbox))
                .retry(outbox.retry());
    }

    private static Poll pollOf(RelayDefaults outbox) {
        return new Poll(outbox.pollInterval(), outbox.maxIdle(), outbox.initialDelay());
    }

    public RelayOptions {
        FiniteTime.require("The lease", lease);
        FiniteTime.require("The grace time", grace);
        retention.ifPresent(time -> FiniteTime.require("The retention", time));
        if (lease.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("The lease is " + lease.toMillis() + " ms: use at least "
                    + SHORTEST_LEASE.toMillis() + " ms, because a shorter lease may expire between two renewals.");
        }
        if (grace.isNegative()) {
            throw new IllegalArgumentException("The grace time is negative: use 0 or more.");
        }
        if (rate.isPresent() && rate.getAsInt() < 1) {
            throw new IllegalArgumentException(
                    "The rate is " + rate.getAsInt() + " events per second: use 1 or more, or no rate for no limit.");
        }
        if (retention.isPresent() && retention.get().isNegative()) {
            throw new IllegalArgumentException(
                    "The retention is negative: use 0 or more, or no retention to keep everything.");
        }
    }

    /**
     * How much one claim may return.
     *
     * @param events maximum number of events
     * @param bytes maximum size of all their fields together; one event is always allowed
     */
    public record BatchSize(int events, long bytes) {
        public BatchSize {
            if (events < 1 || bytes < 1) {
                throw new IllegalArgumentException(
                        "A batch of " + events + " events and " + bytes + " bytes: both must be at least 1.");
            }
        }
    }

    /**
     * How much may be in flight, and for how long.
     *
     * @param batches maximum number of batches
     * @param bytes maximum size of events and of the messages made from them; one batch is always allowed
     * @param timeout a publish without an answer for this long is aborted; longer than any timeout of the destination itself
     */
    public record InFlight(int batches, long bytes, Duration timeout) {
        /** Four times the default timeout of Waybill's destinations. */
        public static final Duration TIMEOUT = Duration.ofMinutes(2);

        public InFlight(int batches, long bytes) {
            this(batches, bytes, TIMEOUT);
        }

        public InFlight {
            if (batches < 1 || bytes < 1) {
                throw new IllegalArgumentException("The limit in flight is " + batches + " batches and " + bytes
                        + " bytes: both must be at least 1.");
            }
            FiniteTime.require("The timeout of what is in flight", timeout);
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("The timeout in flight is " + timeout
                        + ": use more than 0, and more than the destination waits for its broker.");
            }
        }
    }

    /**
     * How often to poll. After an event the relay polls at once, then less and less often.
     *
     * @param interval time between polls after a tenth of a second without events
     * @param maxIdle time between polls after a long time without events
     * @param initialDelay how long a new relay waits before its first poll
     */
    public record Poll(Duration interval, Duration maxIdle, Duration initialDelay) {
        public Poll(Duration interval, Duration maxIdle) {
            this(interval, maxIdle, Duration.ZERO);
        }

        public Poll {
            FiniteTime.require("The longest poll interval", maxIdle);
            FiniteTime.require("The initial delay", initialDelay);
            if (initialDelay.isNegative()) {
                throw new IllegalArgumentException("The initial delay is " + initialDelay + ": use 0 or more.");
            }
            if (interval.isNegative() || interval.isZero() || maxIdle.compareTo(interval) < 0) {
                throw new IllegalArgumentException("The poll interval is " + interval + " and the longest " + maxIdle
                        + ": the interval must be positive and not above the longest.");
            }
        }
    }

    /** What happens to the key of a dead event. */
    public enum OnDead {
        /** Later events of the key are published. */
        PASS,
        /**
         * Later events of the key wait until an operator requeues or discards the dead one. Only one event of a key is in flight
         * at a time, which is slower where a few keys have most of the events.
         */
        HOLD
    }

    public RelayOptions batch(BatchSize value) {
        return new RelayOptions(value, inFlight, poll, retry, countOutages, onDead, lease, grace, rate, retention);
    }

    public RelayOptions inFlight(InFlight value) {
        return new RelayOptions(batch, value, poll, retry, countOutages, onDead, lease, grace, rate, retention);
    }

    public RelayOptions poll(Poll value) {
        return new RelayOptions(batch, inFlight, value, retry, countOutages, onDead, lease, grace, rate, retention);
    }

    public RelayOptions retry(RetryPolicy value) {
        return new RelayOptions(batch, inFlight, poll, value, countOutages, onDead, lease, grace, rate, retention);
    }

    public RelayOptions countOutages(boolean value) {
        return new RelayOptions(batch, inFlight, poll, retry, value, onDead, lease, grace, rate, retention);
    }

    public RelayOptions onDead(OnDead value) {
        return new RelayOptions(batch, inFlight, poll, retry, countOutages, value, lease, grace, rate, retention);
    }

    public RelayOptions lease(Duration value) {
        return new RelayOptions(batch, inFlight, poll, retry, countOutages, onDead, value, grace, rate, retention);
    }

    public RelayOptions grace(Duration value) {
        return new RelayOptions(batch, inFlight, poll, retry, countOutages, onDead, lease, value, rate, retention);
    }

    public RelayOptions retention(Duration value) {
        return new RelayOptions(
                batch, inFlight, poll, retry, countOutages, onDead, lease, grace, rate, Optional.of(value));
    }

    RelayOptions withoutRetention() {
        return new RelayOptions(
                batch, inFlight, poll, retry, countOutages, onDead, lease, grace, rate, Optional.empty());
    }

    public RelayOptions rate(int eventsPerSecond) {
        return new RelayOptions(
                batch,
                inFlight,
                poll,
                retry,
                countOutages,
                onDead,
                lease,
                grace,
                OptionalInt.of(eventsPerSecond),
                retention);
    }
}
