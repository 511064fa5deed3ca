package dev.waybill.server.live;

import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreWatch;
import dev.waybill.relay.RelayStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the status of one store again and again, on a thread of its own: a store that does not answer delays no other. At most one
 * reading is under way, so the store is asked over one connection at most, however many viewers there are.
 */
final class StoreSampler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StoreSampler.class);

    static final Duration WATCHED = Duration.ofSeconds(1);
    private static final Duration UNWATCHED = Duration.ofSeconds(10);
    /** A reading that takes longer counts as failed until it ends. */
    static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Reading takes at most a quarter of the time. */
    private static final int PART = 4;

    private static final int MOST_SERIES = 500;

    private final String store;
    private final Set<String> configured;
    private final Supplier<StoreWatch> opening;
    private final OwnRelays own;
    private final BooleanSupplier watched;
    private final Runnable sampled;
    private final Map<String, Series> series = new ConcurrentHashMap<>();
    private final Map<String, Long> publishedBefore = new HashMap<>();
    private final Thread thread;
    private final Object tick = new Object();
    private volatile StoreSample last;
    private volatile long busySince;
    /** When the last reading ended, on the monotonic clock; the time of day may step back. */
    private @Nullable Long before;

    private @Nullable StoreWatch watch;
    private boolean closed;

    /**
     * @param opening opens the store, on the sampler's thread
     * @param watched whether there are viewers
     * @param sampled told after every reading
     */
    StoreSampler(
            String store,
            Set<String> configured,
            Supplier<StoreWatch> opening,
            OwnRelays own,
            BooleanSupplier watched,
            Runnable sampled) {
        this.store = store;
        this.configured = configured;
        this.opening = opening;
        this.own = own;
        this.watched = watched;
        this.sampled = sampled;
        this.last = StoreSample.unread(store, configured);
        this.thread = new Thread(this::run, "waybill-sample-" + store);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Reads soon, because a viewer has come. */
    void hurry() {
        synchronized (tick) {
            tick.notifyAll();
        }
    }

    StoreSample sample() {
        StoreSample known = last;
        long busy = busySince;
        long waited = System.nanoTime() - busy;
        if (busy != 0 && waited > PATIENCE.toNanos()) {
            String slow = "The store has not answered for "
                    + Duration.ofNanos(waited).toSeconds() + " s; the values are the last known ones.";
            return known.failed(
                    known.unavailable().map(StoreSample.Unavailable::why).orElse(slow),
                    Instant.now().minusNanos(waited),
                    here());
        }
        return known;
    }

    Optional<Series> series(String relay) {
        return Optional.ofNullable(series.get(relay));
    }

    private void run() {
        try {
            while (true) {
                long begun = System.nanoTime();
                busySince = begun == 0 ? 1 : begun;
                last = read();
                busySince = 0;
                tell();
                Duration took = Duration.ofNanos(System.nanoTime() - begun);
                if (!pause(took)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell() {
        try {
            sampled.run();
        } catch (RuntimeException | Error e) {
            log.warn("The sample of the store {} could not be sent to those who look.", store, e);
        }
    }

    /** @return false if it should end */
    private boolean pause(Duration took) throws InterruptedException {
        Duration least = took.multipliedBy(PART - 1L);
        long end = System.nanoTime() + Math.max(WATCHED.minus(took).toNanos(), least.toNanos());
        long slowEnd = end + UNWATCHED.minus(WATCHED).toNanos();
        synchronized (tick) {
            for (long left = 1; left > 0 && !closed; ) {
                left = (watched.getAsBoolean() ? end : slowEnd) - System.nanoTime();
                if (left > 0) {
                    tick.wait(Math.max(1, left / 1_000_000));
                }
            }
            return !closed;
        }
    }

    private StoreSample read() {
        Instant begun = Instant.now();
        try {
            StoreWatch.Reading read = watch().read();
            Instant now = Instant.now();
            long nanos = System.nanoTime();
            Map<String, OwnRelays.Own> here = here();
            Map<String, Double> rates = new HashMap<>();
            for (RelayStatus relay : read.relays()) {
                Optional<OwnRelays.Own> one = Optional.ofNullable(here.get(relay.name()));
                double rate = one.map(known -> rate(relay, known, nanos)).orElseGet(() -> ofStore(relay));
                rates.put(relay.name(), rate);
                record(relay, rate, one.flatMap(OwnRelays.Own::latency), now);
            }
            before = nanos;
            return new StoreSample(store, configured, Optional.of(now), read, Optional.empty(), here, rates);
        } catch (RuntimeException e) {
            log.debug("The store {} could not be sampled.", store, e);
            return last.failed(String.valueOf(e.getMessage()), begun, here());
        } catch (Error e) {
            // Such as a moment without memory: the next reading may succeed.
            log.warn("The store {} could not be sampled.", store, e);
            return last.failed(e.toString(), begun, here());
        }
    }

    private Map<String, OwnRelays.Own> here() {
        Map<String, OwnRelays.Own> here = new LinkedHashMap<>();
        configured.forEach(name -> own.find(name).ifPresent(one -> here.put(name, one)));
        return here;
    }

    private StoreWatch watch() {
        StoreWatch open = watch;
        if (open == null) {
            open = opening.get();
            synchronized (tick) {
                watch = open;
                if (closed) {
                    open.close();
                }
            }
        }
        return open;
    }

    private void record(RelayStatus relay, double published, Optional<Latencies.Percentiles> latency, Instant now) {
        if (series.size() >= MOST_SERIES && !series.containsKey(relay.name())) {
            return;
        }
        series.computeIfAbsent(relay.name(), name -> new Series())
                .add(new Point(
                        now.toEpochMilli(),
                        published,
                        relay.backlog(),
                        relay.oldest().map(age -> age.toMillis() / 1e3).orElse(0.0),
                        latency.map(Latencies.Percentiles::p50).orElse(Double.NaN),
                        latency.map(Latencies.Percentiles::p95).orElse(Double.NaN),
                        latency.map(Latencies.Percentiles::p99).orElse(Double.NaN)));
    }

    /** What this process published since the last sample; if it published nothing, another process may run the relay now. */
    private double rate(RelayStatus relay, OwnRelays.Own one, long now) {
        Long known = publishedBefore.put(relay.name(), one.published());
        Long then = before;
        boolean mayRunElsewhere = one.published() == (known == null ? 0 : known)
                && one.state().phase() == RelayStatistics.Phase.STANDING_BY
                && relay.lease().isPresent();
        if (known == null || then == null || mayRunElsewhere) {
            return ofStore(relay);
        }
        return (one.published() - known) * 1e9 / Math.max(1_000_000, now - then);
    }

    private static double ofStore(RelayStatus relay) {
        return relay.publishedPerSecond().orElse(Double.NaN);
    }

    @Override
    public void close() {
        StoreWatch open;
        synchronized (tick) {
            closed = true;
            open = watch;
            tick.notifyAll();
        }
        thread.interrupt();
        if (open != null) {
            open.close();
        }
    }
}
