package dev.waybill.relay;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Claims the next batch while the last one is routed, formatted and sent, so that the relay seldom waits for its store. Only
 * after a full batch: without a backlog, the store is read when the cycle asks.
 *
 * <p>The session is used by one thread at a time: every method first waits for the claim in progress. If the session allows it,
 * published batches of a backlog are settled by a third thread. One thread.
 */
final class ClaimAhead implements AutoCloseable {
    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

    private final RelaySession session;
    private final Executor reader;
    private final Executor settler;
    private final Optional<RelaySession.BesideClaims> beside;
    private @Nullable CompletableFuture<Optional<Batch>> ahead;
    private CompletableFuture<Void> behind = NOTHING;

    /**
     * @param reader runs the claims
     * @param settler runs the settlements beside claims, one after the other
     */
    ClaimAhead(RelaySession session, Executor reader, Executor settler) {
        this.session = session;
        this.reader = reader;
        this.settler = settler;
        this.beside = session.besideClaims();
    }

    Optional<Batch> claim(Limits max) {
        Optional<Batch> batch = takeAhead();
        if (batch.isEmpty()) {
            batch = session.claim(max);
        }
        if (batch.isPresent() && isFull(batch.get(), max)) {
            ahead = CompletableFuture.supplyAsync(() -> session.claim(max), reader);
        }
        return batch;
    }

    private static boolean isFull(Batch batch, Limits max) {
        return batch.events().size() >= max.events()
                || batch.events().stream().mapToLong(StoredEvent::bytes).sum() >= max.bytes() / 2;
    }

    /** Number of batches claimed ahead that the cycle has not taken yet. */
    int claimed() {
        return waitForAhead().isPresent() ? 1 : 0;
    }

    void settle(Batch batch, List<Settlement> inClaimOrder) {
        waitForAhead();
        waitForBehind();
        session.settle(batch, inClaimOrder);
        if (inClaimOrder.contains(Settlement.RELEASED)) {
            ahead = null;
        }
    }

    /** Whether {@link #settleBehind} may be used: there is a backlog, and the session allows it. */
    boolean settlesBehind() {
        return ahead != null && beside.isPresent();
    }

    /**
     * Begins to settle a batch whose events are all published, after those that were begun before.
     *
     * @return fails with what settling has thrown
     */
    CompletableFuture<Void> settleBehind(Batch batch) {
        RelaySession.BesideClaims settling = beside.orElseThrow();
        behind = CompletableFuture.runAsync(() -> settling.published(batch), settler);
        return behind;
    }

    /** Releases the batch that the cycle has not taken. */
    void releaseAhead() {
        takeAhead()
                .ifPresent(batch ->
                        settle(batch, Collections.nCopies(batch.events().size(), Settlement.RELEASED)));
    }

    private Optional<Batch> takeAhead() {
        Optional<Batch> batch = waitForAhead();
        ahead = null;
        return batch;
    }

    private Optional<Batch> waitForAhead() {
        if (ahead == null) {
            return Optional.empty();
        }
        return join(ahead);
    }

    private void waitForBehind() {
        join(behind);
    }

    /** The result, or what was thrown. */
    static <R> R join(CompletableFuture<R> task) {
        try {
            return task.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** After this, no thread uses the session. */
    @Override
    public void close() {
        if (ahead != null) {
            ahead.handle((batch, error) -> batch).join();
        }
        behind.handle((unused, error) -> error == null).join();
    }
}
