package dev.waybill.server.live;

import dev.waybill.server.config.Installation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Samples every store once for all viewers: every second while there are viewers, otherwise every ten seconds. Safe for use by many
 * threads.
 */
public final class Sampler implements AutoCloseable {
    /** How long after a request there counts as being a viewer. */
    private static final long LOOKS_NANOS = 5_000_000_000L;

    private final Map<String, StoreSampler> stores = new LinkedHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong lookedAt = new AtomicLong(System.nanoTime() - LOOKS_NANOS);

    public Sampler(Installation installation, OwnRelays own) {
        for (String store : installation.stores()) {
            stores.put(
                    store,
                    new StoreSampler(
                            store,
                            installation.relaysOf(store),
                            () -> installation.admin(store).watch(),
                            own,
                            this::isWatched,
                            () -> listeners.forEach(Runnable::run)));
        }
    }

    public void start() {
        stores.values().forEach(StoreSampler::start);
    }

    /** @param listener told after every sample; must not wait */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    private boolean isWatched() {
        return System.nanoTime() - lookedAt.get() < LOOKS_NANOS;
    }

    /** A viewer asks for samples. */
    public void look() {
        boolean before = isWatched();
        lookedAt.set(System.nanoTime());
        if (!before) {
            stores.values().forEach(StoreSampler::hurry);
        }
    }

    public List<StoreSample> samples() {
        return stores.values().stream().map(StoreSampler::sample).toList();
    }

    public Optional<StoreSample> sample(String store) {
        return Optional.ofNullable(stores.get(store)).map(StoreSampler::sample);
    }

    /** Oldest first; none if the relay is unknown. */
    public List<Point> points(String store, String relay, Series.Range range) {
        return Optional.ofNullable(stores.get(store))
                .flatMap(each -> each.series(relay))
                .map(series -> series.points(range, System.currentTimeMillis()))
                .orElse(List.of());
    }

    @Override
    public void close() {
        stores.values().forEach(StoreSampler::close);
    }
}
