package dev.waybill.testkit.random;

import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a store through the interface that the relay uses: some batches in flight, settled in order, sometimes beside the next
 * claim if the session allows it, and sometimes a new session.
 */
public final class StoreReader implements Reader {
    private static final RelayName RELAY = new RelayName("random");
    private static final OwnerId OWNER = new OwnerId("random-reader");
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Pattern PAYLOAD = Pattern.compile("\\{\"n\":(\\d+)}");

    private final EventStore store;
    private final Random random;
    private final Deque<Batch> inFlight = new ArrayDeque<>();
    private final int readsOfASession;
    private final ExecutorService settler = Executors.newSingleThreadExecutor();
    private Future<?> settling = CompletableFuture.completedFuture(null);
    private RelaySession session;

    public StoreReader(EventStore store, Random random) {
        this(store, random, 20);
    }

    /** @param readsOfASession approximate number of reads before a new session */
    public StoreReader(EventStore store, Random random, int readsOfASession) {
        this.store = store;
        this.random = random;
        this.readsOfASession = readsOfASession;
        this.session = open();
    }

    private RelaySession open() {
        return store.open(RELAY, OWNER, LEASE).orElseThrow();
    }

    @Override
    public boolean readSome(Consumer<ReadEvent> sink) {
        if (inFlight.isEmpty() && random.nextInt(readsOfASession) == 0) {
            awaitSettled();
            session.close();
            session = open();
        }
        Optional<Batch> batch = session.claim(limits());
        batch.ifPresent(claimed -> {
            claimed.events().stream().map(StoreReader::read).forEach(sink);
            inFlight.add(claimed);
        });
        settleUntilLeft(batch.isPresent() ? random.nextInt(4) : 0);
        return batch.isPresent();
    }

    /** Often smaller than a window. */
    private Limits limits() {
        int events = 1 + random.nextInt(random.nextBoolean() ? 20 : 500);
        long bytes = random.nextInt(10) == 0 ? 1 + random.nextInt(500) : 1 << 20;
        return new Limits(events, bytes);
    }

    private void settleUntilLeft(int left) {
        while (inFlight.size() > left) {
            Batch oldest = inFlight.remove();
            Optional<RelaySession.BesideClaims> beside = session.besideClaims();
            if (beside.isPresent() && random.nextInt(4) > 0) {
                settling = settler.submit(() -> beside.get().published(oldest));
            } else {
                awaitSettled();
                session.settle(oldest, Collections.nCopies(oldest.events().size(), Settlement.PUBLISHED));
            }
        }
    }

    private void awaitSettled() {
        try {
            settling.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a batch was settled.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException cause) {
                throw cause;
            }
            throw new IllegalStateException("A batch was not settled.", e);
        }
    }

    private static ReadEvent read(StoredEvent event) {
        Matcher payload = PAYLOAD.matcher(new String(event.payload(), StandardCharsets.UTF_8));
        if (!payload.matches()) {
            throw new IllegalStateException("Not the payload that was appended.");
        }
        return new ReadEvent(
                UUID.fromString(event.id().toString()),
                event.aggregateId().toString(),
                Long.parseLong(payload.group(1)));
    }

    @Override
    public void crashed() {
        inFlight.clear();
        awaitSettled();
        session.close();
        session = open();
    }

    @Override
    public void close() {
        awaitSettled();
        settler.shutdown();
        session.close();
    }
}
