package dev.waybill.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Published batches that are being settled while the cycle goes on, oldest first. One thread. */
final class SettlingBehind {
    private final ClaimAhead session;
    private final Runnable settled;
    private final Deque<Begun> batches = new ArrayDeque<>();

    private record Begun(ClaimedBatch batch, CompletableFuture<Void> settling) {}

    /** @param settled called after each batch, on any thread */
    SettlingBehind(ClaimAhead session, Runnable settled) {
        this.session = session;
        this.settled = settled;
    }

    void begin(ClaimedBatch batch) {
        CompletableFuture<Void> settling = session.settleBehind(batch.claimed);
        batches.addLast(new Begun(batch, settling));
        CompletionStage<Void> done = settling;
        done.whenComplete((unused, error) -> settled.run());
    }

    int size() {
        return batches.size();
    }

    /**
     * Takes those that are settled by now. Throws what settling one of them has thrown.
     *
     * @param published is given each of them
     */
    void takeSettled(Consumer<ClaimedBatch> published) {
        while (!batches.isEmpty() && batches.getFirst().settling().isDone()) {
            take(published);
        }
    }

    /** Waits for all, and takes them. Throws what settling one of them has thrown. */
    void awaitAll(Consumer<ClaimedBatch> published) {
        while (!batches.isEmpty()) {
            take(published);
        }
    }

    private void take(Consumer<ClaimedBatch> published) {
        Begun first = batches.getFirst();
        ClaimAhead.join(first.settling());
        batches.removeFirst();
        published.accept(first.batch());
    }

    /**
     * Waits until none is being settled any more.
     *
     * @return those that were not settled
     */
    List<ClaimedBatch> abandon(Consumer<ClaimedBatch> published) {
        List<ClaimedBatch> unsettled = new ArrayList<>();
        for (Begun begun : batches) {
            boolean settled =
                    begun.settling().handle((unused, error) -> error == null).join();
            if (settled) {
                published.accept(begun.batch());
            } else {
                unsettled.add(begun.batch());
            }
        }
        batches.clear();
        return unsettled;
    }
}
