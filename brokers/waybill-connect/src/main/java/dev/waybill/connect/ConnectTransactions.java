package dev.waybill.connect;

import dev.waybill.connect.CommittedOffsets.Committed;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.spi.transaction.WindowPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that Connect makes: one for each poll. Messages are kept until the relay commits them; then Connect gets them
 * together, in one poll, and commits them together with their offsets.
 *
 * <p><b>What Connect has taken cannot be aborted.</b> It is committed, or the task fails. So the next writer waits for the outcome
 * before it reads the committed offset.
 *
 * <p><b>Every record has its own position as its offset.</b> If a task is stopped or paused while it repeats a part of a poll,
 * Connect commits the records that it has sent, with the offset of the last one.
 */
final class ConnectTransactions implements TransactionalWriter {
    /** Less than the time that a relay waits for its destination, after which it counts as stuck. */
    private static final Duration TAKEN_WITHIN = Duration.ofSeconds(20);

    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(60);

    /** How often a wait looks whether the task has stopped. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final RecordQueue queue;
    private final RecordForm form;
    private final Committed committed;
    private final List<Staged> staged = new ArrayList<>();
    private volatile @Nullable Parcel offered;
    private volatile boolean ended;

    private record Staged(SourceRecord record, WindowPosition behind) {}

    ConnectTransactions(RecordQueue queue, RecordForm form, Committed committed) {
        this.queue = queue;
        this.form = form;
        this.committed = committed;
    }

    @Override
    public Optional<String> committed() {
        return committed.position().map(WindowPosition::toString);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, IntFunction<WindowPosition> behind) {
        List<Delivery> answers = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            RecordForm.Made made = form.make(batch.get(i));
            if (made.record().isPresent()) {
                staged.add(new Staged(made.record().get(), behind.apply(i)));
            }
            Delivery.@Nullable Refused refusal = made.refusal();
            answers.add(refusal == null ? Delivery.DELIVERED : refusal);
        }
        return CompletableFuture.completedFuture(answers);
    }

    @Override
    public void commit(String position) {
        if (staged.isEmpty()) {
            // All its events are dead. Connect has nothing to commit, and the store knows that they are.
            return;
        }
        WindowPosition end = WindowPosition.parse(position).orElseThrow();
        Parcel parcel = new Parcel();
        for (int i = 0; i < staged.size(); i++) {
            Staged one = staged.get(i);
            boolean last = i == staged.size() - 1;
            parcel.add(one.record, committed.partition(), SourceOffsets.offset(last ? end : one.behind), () -> {});
        }
        staged.clear();
        offered = parcel;
        if (ended || !queue.offer(parcel)) {
            throw stopped();
        }
        if (!isDoneWithin(parcel, TAKEN_WITHIN, () -> ended) && queue.withdraw(parcel)) {
            throw new DestinationUnavailableException(
                    "Kafka Connect has not asked for records for " + TAKEN_WITHIN.toSeconds()
                            + " s: the connector is paused, or the worker is busy with earlier records");
        }
        awaitCommitted(parcel, () -> ended);
    }

    /**
     * Waits until what Connect has taken is committed, also after the end of this writer.
     *
     * @throws DestinationUnavailableException if that takes too long
     */
    void awaitOutcome() {
        Parcel parcel = offered;
        if (parcel != null && !queue.withdraw(parcel)) {
            awaitCommitted(parcel, () -> false);
        }
    }

    private void awaitCommitted(Parcel parcel, BooleanSupplier givesUp) {
        if (!isDoneWithin(parcel, COMMITTED_WITHIN, givesUp)) {
            throw new DestinationUnavailableException(
                    "Kafka Connect has not committed " + parcel.records().size() + " records within "
                            + COMMITTED_WITHIN.toSeconds()
                            + " s: the connector is paused, a topic is missing (see topic.creation.default.*), or Kafka is"
                            + " unavailable");
        }
    }

    private boolean isDoneWithin(Parcel parcel, Duration time, BooleanSupplier givesUp) {
        long end = System.nanoTime() + time.toNanos();
        try {
            while (System.nanoTime() < end) {
                if (parcel.awaitDone(LOOK.toNanos())) {
                    return true;
                }
                if (givesUp.getAsBoolean() || queue.isStopped()) {
                    throw stopped();
                }
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DestinationUnavailableException("interrupted while Kafka Connect was committing", e);
        }
    }

    private static DestinationUnavailableException stopped() {
        return new DestinationUnavailableException(
                "the task of the connector has stopped, or the relay has lost its lease");
    }

    @Override
    public void abort() {
        staged.clear();
    }

    /** Ends it at once, on any thread. */
    void end() {
        ended = true;
        Parcel parcel = offered;
        if (parcel != null) {
            queue.withdraw(parcel);
        }
    }

    @Override
    public void close() {
        end();
    }
}
