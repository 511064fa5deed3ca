package dev.waybill.telemetry.metrics;

import dev.waybill.RelayName;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one relay. It measures once for each batch and each call of the destination, never for each event, except that
 * it counts their outcomes.
 */
final class RelayMeters implements RelayListener {
    /** The name under which all replays of a plan are counted: each has a name of its own, so their number has no bound. */
    static final String REPLAYS = "(replays)";

    static final String UNANSWERED = "unanswered";
    static final String COMMIT_TO_CLAIM = "commit-to-claim";
    static final String CLAIM_TO_SEND = "claim-to-send";
    static final String SEND_TO_ACK = "send-to-ack";

    private final RelayName relay;
    private final Registering registering;
    private final Map<String, Measured> measured = new ConcurrentHashMap<>();

    RelayMeters(RelayName relay, Registering registering) {
        this.relay = relay;
        this.registering = registering;
        // So that all meters exist from the start, with zero.
        var unused = of(relay);
    }

    /** From now on the gauges are those of this relay. */
    void watch(Relay running) {
        String name = relay.value();
        RelayStatistics statistics = running.statistics();
        registering.counted(WaybillMeter.RELAY_PUBLISHED, statistics, RelayStatistics::published, name);
        registering.counted(WaybillMeter.RELAY_DEAD, statistics, RelayStatistics::dead, name);
        registering.counted(WaybillMeter.RELAY_REPEATS, statistics, RelayStatistics::repeats, name);
        registering.counted(WaybillMeter.RELAY_SESSIONS, statistics, RelayStatistics::sessions, name);
        for (Phase phase : Phase.values()) {
            registering.gauge(WaybillMeter.RELAY_PHASE, () -> phaseOf(statistics) == phase ? 1 : 0, name, label(phase));
        }
        registering.gauge(
                WaybillMeter.RELAY_DESTINATION_UNAVAILABLE,
                () -> phaseOf(statistics) == Phase.BACKING_OFF ? 1 : 0,
                name);
        registering.gauge(
                WaybillMeter.RELAY_FAILING, () -> seconds(running.failingFor().orElse(Duration.ZERO)), name);
    }

    private static Phase phaseOf(RelayStatistics statistics) {
        return statistics.state().phase();
    }

    static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    /** As a value of a label. */
    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Measured of(RelayName name) {
        return measured.computeIfAbsent(
                name.equals(relay) ? relay.value() : REPLAYS, label -> new Measured(label, registering));
    }

    @Override
    public void claimed(RelayName name, List<StoredEvent> events) {
        of(name).claimed(events);
    }

    @Override
    public Sending sending(
            RelayName name, List<StoredEvent> events, List<OutboundMessage> messages, Duration sinceClaim) {
        return of(name).sending(events.size(), sinceClaim);
    }

    /** The meters that the listener writes. */
    private static final class Measured {
        private final Clock clock;
        private final DistributionSummary batchSize;
        private final Timer commitToClaim;
        private final Timer claimToSend;
        private final Timer sendToAck;
        private final Counter unanswered;
        private final Map<Delivery.Kind, Counter> attempts = new EnumMap<>(Delivery.Kind.class);

        Measured(String name, Registering registering) {
            this.clock = registering.registry().config().clock();
            this.batchSize = registering.summary(WaybillMeter.RELAY_BATCH_SIZE, name);
            this.commitToClaim = registering.timer(WaybillMeter.RELAY_LATENCY, name, COMMIT_TO_CLAIM);
            this.claimToSend = registering.timer(WaybillMeter.RELAY_LATENCY, name, CLAIM_TO_SEND);
            this.sendToAck = registering.timer(WaybillMeter.RELAY_LATENCY, name, SEND_TO_ACK);
            this.unanswered = registering.counter(WaybillMeter.RELAY_ATTEMPTS, name, UNANSWERED);
            for (Delivery.Kind kind : Delivery.Kind.values()) {
                // What goes behind an earlier message is not sent.
                if (kind != Delivery.Kind.BEHIND) {
                    attempts.put(kind, registering.counter(WaybillMeter.RELAY_ATTEMPTS, name, outcome(kind)));
                }
            }
        }

        private static String outcome(Delivery.Kind kind) {
            return kind == Delivery.Kind.RETRY ? "failed" : label(kind);
        }

        void claimed(List<StoredEvent> events) {
            batchSize.record(events.size());
            Instant created = events.get(0).createdAt();
            // A row of a table that others write may have no time of creation.
            if (!created.equals(Instant.EPOCH)) {
                // The store's clock may be ahead of this machine's.
                commitToClaim.record(Math.max(0, clock.wallTime() - created.toEpochMilli()), TimeUnit.MILLISECONDS);
            }
        }

        Sending sending(int events, Duration sinceClaim) {
            claimToSend.record(sinceClaim);
            long sentAt = clock.monotonicTime();
            return deliveries -> {
                if (deliveries.isEmpty()) {
                    unanswered.increment(events);
                } else {
                    sendToAck.record(clock.monotonicTime() - sentAt, TimeUnit.NANOSECONDS);
                    count(deliveries);
                }
            };
        }

        /** Mostly all answers are alike: one addition for each run of equal ones. */
        private void count(List<Delivery> deliveries) {
            Delivery.Kind kind = deliveries.get(0).kind();
            int run = 0;
            for (Delivery delivery : deliveries) {
                if (delivery.kind() != kind) {
                    add(kind, run);
                    kind = delivery.kind();
                    run = 0;
                }
                run++;
            }
            add(kind, run);
        }

        private void add(Delivery.Kind kind, int run) {
            Counter counter = attempts.get(kind);
            if (counter != null) {
                counter.increment(run);
            }
        }
    }
}
