package dev.waybill.tck;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A minimal relay on one session: claims, pretends to publish, settles. */
final class Courier implements AutoCloseable {
    static final Limits PLENTY = new Limits(1_000, 10_000_000);
    private static final int MOST_ROUNDS = 10_000;
    private static final int AHEAD = 3;

    private final RelaySession session;
    private final EventBook book;
    private final Deque<Batch> out = new ArrayDeque<>();
    private final Map<String, StoredEvent> seen = new HashMap<>();
    private Limits limits = PLENTY;

    Courier(RelaySession session, EventBook book) {
        this.session = session;
        this.book = book;
    }

    RelaySession session() {
        return session;
    }

    Courier limits(int events, long bytes) {
        limits = new Limits(events, bytes);
        return this;
    }

    /** Publishes until the store has no more events. */
    List<String> drain() {
        return drain(Map.of());
    }

    /**
     * Settles until the store has no more events, with the outcomes that the script names; others are published, or are
     * settled behind an event of their key that failed in the same batch.
     *
     * @return the names of the published events, in order
     */
    List<String> drain(Map<String, Settlement> script) {
        List<String> published = new ArrayList<>();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Optional<Batch> batch = claimAny();
            if (batch.isEmpty()) {
                return published;
            }
            settle(batch.get(), decide(batch.get(), script, published));
        }
        throw new AssertionError("The store still gives batches after " + MOST_ROUNDS + " of them.");
    }

    private List<Settlement> decide(Batch batch, Map<String, Settlement> script, List<String> published) {
        Set<Utf8> closed = new HashSet<>();
        List<Settlement> decided = new ArrayList<>();
        for (StoredEvent event : batch.events()) {
            String name = book.name(event);
            Settlement settlement = closed.contains(event.orderKey())
                    ? Settlement.BEHIND
                    : script.getOrDefault(name, Settlement.PUBLISHED);
            if (Settlement.closesKey(settlement)) {
                closed.add(event.orderKey());
            }
            if (settlement instanceof Settlement.Published) {
                published.add(name);
            }
            decided.add(settlement);
        }
        return decided;
    }

    /** The next batch that has events; fails if there is none. */
    Batch claim() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Batch batch = claimAny().orElseThrow(() -> new AssertionError("The claim brought nothing."));
            if (!batch.events().isEmpty()) {
                return batch;
            }
        }
        throw new AssertionError("The store gave " + MOST_ROUNDS + " batches without events.");
    }

    /** Claims a few more batches without settling any, and returns those with events. */
    List<Batch> claimAhead() {
        List<Batch> batches = new ArrayList<>();
        for (int round = 0; round < AHEAD; round++) {
            claimAny().filter(batch -> !batch.events().isEmpty()).ifPresent(batches::add);
        }
        return batches;
    }

    private Optional<Batch> claimAny() {
        Optional<Batch> batch = session.claim(limits);
        batch.ifPresent(given -> {
            out.add(given);
            given.events().forEach(event -> seen.put(book.name(event), event));
        });
        return batch;
    }

    void settle(Batch batch, Settlement... settlements) {
        settle(batch, List.of(settlements));
    }

    /** Settles the batch, and before it those without events that were claimed earlier. */
    private void settle(Batch batch, List<Settlement> settlements) {
        while (!out.isEmpty() && out.peek() != batch && out.peek().events().isEmpty()) {
            session.settle(out.remove(), List.of());
        }
        out.remove(batch);
        session.settle(batch, settlements);
        if (settlements.contains(Settlement.RELEASED)) {
            out.clear();
        }
    }

    void publish(Batch batch) {
        settle(
                batch,
                batch.events().stream()
                        .<Settlement>map(event -> Settlement.PUBLISHED)
                        .toList());
    }

    /** The event as it was last claimed. */
    StoredEvent seen(String name) {
        return Objects.requireNonNull(seen.get(name), () -> "The event " + name + " was never claimed.");
    }

    List<String> names(Batch batch) {
        return batch.events().stream().map(book::name).toList();
    }

    @Override
    public void close() {
        session.close();
    }
}
