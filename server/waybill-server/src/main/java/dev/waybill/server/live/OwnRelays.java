package dev.waybill.server.live;

import dev.waybill.RelayName;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayGroup;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What this process knows of the relays that it runs itself, beyond what their stores tell. Safe for use by many threads. */
public final class OwnRelays {
    private static final double NANOS = 1e9;

    private final Map<String, Started> relays = new ConcurrentHashMap<>();
    private final Map<String, Latencies> latencies = new ConcurrentHashMap<>();

    /**
     * A relay of this process.
     *
     * @param state what it does here
     * @param failingFor how long it has been failing
     * @param published events since its start
     * @param process as which it is known to others that share the relay; empty if it is not shared
     */
    public record Own(
            RelayStatistics.State state,
            Optional<Duration> failingFor,
            long published,
            Optional<Latencies.Percentiles> latency,
            Optional<OwnerId> process) {}

    private record Started(Relay relay, Optional<OwnerId> process) {}

    /** Measures the latency of a relay: from the append to the acknowledgement. */
    public RelayListener listener() {
        return new RelayListener() {
            @Override
            public void published(RelayName relay, List<StoredEvent> events) {
                Latencies of = latencies.computeIfAbsent(relay.value(), name -> new Latencies(System::nanoTime));
                Instant now = Instant.now();
                long second = now.getEpochSecond();
                int nano = now.getNano();
                of.add(events.size(), i -> {
                    Instant appended = events.get(i).createdAt();
                    return second - appended.getEpochSecond() + (nano - appended.getNano()) / NANOS;
                });
            }
        };
    }

    public void started(RelayPlan plan, Relay relay) {
        relays.put(plan.name().value(), new Started(relay, plan.group().map(RelayGroup::process)));
    }

    Optional<Own> find(String relay) {
        return Optional.ofNullable(relays.get(relay))
                .map(own -> new Own(
                        own.relay().statistics().state(),
                        own.relay().failingFor(),
                        own.relay().statistics().published(),
                        Optional.ofNullable(latencies.get(relay)).flatMap(Latencies::percentiles),
                        own.process()));
    }
}
