package dev.waybill.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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

    /** Takes those that are settled by now. Throws what settling one of them has thrown. */
    List<ClaimedBatch> takeSettled() {
        List<ClaimedBatch> done = new ArrayList<>();
        while (!batches.isEmpty() && batches.getFirst().settling().isDone()) {
            ClaimAhead.join(batches.getFirst().settling());
            done.add(batches.removeFirst().batch());
        }
        return done;
    }

    /** Waits for all, then takes them. Throws what settling one of them has thrown. */
    List<ClaimedBatch> awaitAll() {
        batches.forEach(begun -> ClaimAhead.join(begun.settling()));
        return takeSettled();
    }

    /** Waits until none is being settled any more, and takes those that were not. */
    List<ClaimedBatch> abandon() {
        List<ClaimedBatch> unsettled = batches.stream()
                .filter(begun -> begun.settling()
                        .handle((unused, error) -> error != null)
                        .join())
                .map(Begun::batch)
                .toList();
        batches.clear();
        return unsettled;
    }
}
