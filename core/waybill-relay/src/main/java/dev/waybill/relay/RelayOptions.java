package dev.waybill.relay;

import dev.waybill.RetryPolicy;
import dev.waybill.spi.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a relay works.
 *
 * @param batch how much one claim brings
 * @param inFlight how much may be out at the destination at once, and for how long
 * @param poll how often it looks when there is nothing to do
 * @param retry when an event that failed is sent again
 * @param onDead what becomes of the key of an event that is given up
 * @param lease how long another process waits before it takes over from one that died
 * @param grace how long a stop waits for what is out
 * @param rate at most so many events a second; as many as there are if absent
 * @param retention how long published events are kept; for ever if absent
 */
public record RelayOptions(
        Limits batch,
        InFlight inFlight,
        Poll poll,
        RetryPolicy retry,
        OnDead onDead,
        Duration lease,
        Duration grace,
        OptionalInt rate,
        Optional<Duration> retention) {

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(500);

    private static final RelayOptions DEFAULTS = new RelayOptions(
            new Limits(2_000, 4_000_000),
            new InFlight(5, 32_000_000),
            new Poll(Duration.ofMillis(50), Duration.ofSeconds(1)),
            RetryPolicy.defaults(),
            OnDead.PASS,
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            OptionalInt.empty(),
            Optional.empty());

    public static RelayOptions defaults() {
        return DEFAULTS;
    }

    public RelayOptions {
        if (lease.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("The lease is " + lease.toMillis() + " ms: use at least "
                    + SHORTEST_LEASE.toMillis() + " ms, or it may run out between two renewals.");
        }
        if (grace.isNegative()) {
            throw new IllegalArgumentException("The grace time is negative: use 0 or more.");
        }
        if (rate.isPresent() && rate.getAsInt() < 1) {
            throw new IllegalArgumentException(
                    "The rate is " + rate.getAsInt() + " events a second: use 1 or more, or none to go without.");
        }
        if (retention.isPresent() && retention.get().isNegative()) {
            throw new IllegalArgumentException("The retention is negative: use 0 or more, or none to keep everything.");
        }
    }

    /**
     * How much may be out at once, and for how long.
     *
     * @param batches so many batches
     * @param bytes so many bytes of events and of the messages made from them, but always one batch
     * @param timeout a publish without an answer for so long is called back; longer than any timeout of the destination's own
     */
    public record InFlight(int batches, long bytes, Duration timeout) {
        /** Four times what the destinations of Waybill wait for their broker unless told otherwise. */
        public static final Duration TIMEOUT = Duration.ofMinutes(2);

        public InFlight(int batches, long bytes) {
            this(batches, bytes, TIMEOUT);
        }

        public InFlight {
            if (batches < 1 || bytes < 1) {
                throw new IllegalArgumentException(
                        "In flight are " + batches + " batches and " + bytes + " bytes: both must be at least 1.");
            }
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("The timeout of what is in flight is " + timeout
                        + ": use more than 0, and more than the destination waits for its broker.");
            }
        }
    }

    /**
     * How often to look. After an event the relay looks at once, then ever more rarely.
     *
     * @param interval reached within a tenth of a second without events
     * @param maxIdle reached after a while without events
     * @param initialDelay how long a relay that starts waits before it looks for the first time
     */
    public record Poll(Duration interval, Duration maxIdle, Duration initialDelay) {
        public Poll(Duration interval, Duration maxIdle) {
            this(interval, maxIdle, Duration.ZERO);
        }

        public Poll {
            if (initialDelay.isNegative()) {
                throw new IllegalArgumentException("The initial delay is " + initialDelay + ": use 0 or more.");
            }
            if (interval.isNegative() || interval.isZero() || maxIdle.compareTo(interval) < 0) {
                throw new IllegalArgumentException("The poll interval is " + interval + " and the longest " + maxIdle
                        + ": the interval must be positive and not above the longest.");
            }
        }
    }

    /** What becomes of the key of an event that is given up. */
    public enum OnDead {
        /** Later events of the key go on. */
        PASS,
        /**
         * Later events of the key wait until a person requeues or discards the dead one. So only one event of a key is out at a
         * time, which is slower where a few keys have most of the events.
         */
        HOLD
    }

    public RelayOptions batch(Limits value) {
        return new RelayOptions(value, inFlight, poll, retry, onDead, lease, grace, rate, retention);
    }

    public RelayOptions inFlight(InFlight value) {
        return new RelayOptions(batch, value, poll, retry, onDead, lease, grace, rate, retention);
    }

    public RelayOptions poll(Poll value) {
        return new RelayOptions(batch, inFlight, value, retry, onDead, lease, grace, rate, retention);
    }

    public RelayOptions retry(RetryPolicy value) {
        return new RelayOptions(batch, inFlight, poll, value, onDead, lease, grace, rate, retention);
    }

    public RelayOptions onDead(OnDead value) {
        return new RelayOptions(batch, inFlight, poll, retry, value, lease, grace, rate, retention);
    }

    public RelayOptions lease(Duration value) {
        return new RelayOptions(batch, inFlight, poll, retry, onDead, value, grace, rate, retention);
    }

    public RelayOptions grace(Duration value) {
        return new RelayOptions(batch, inFlight, poll, retry, onDead, lease, value, rate, retention);
    }

    public RelayOptions retention(Duration value) {
        return new RelayOptions(batch, inFlight, poll, retry, onDead, lease, grace, rate, Optional.of(value));
    }

    public RelayOptions rate(int eventsPerSecond) {
        return new RelayOptions(
                batch, inFlight, poll, retry, onDead, lease, grace, OptionalInt.of(eventsPerSecond), retention);
    }
}
