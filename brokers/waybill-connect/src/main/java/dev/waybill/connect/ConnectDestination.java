package dev.waybill.connect;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.InFlightBatch;
import dev.waybill.spi.support.Sessions;
import dev.waybill.spi.transaction.TransactionalDestination;
import dev.waybill.spi.transaction.TransactionalWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Kafka Connect as the destination of a relay: messages become records that the task returns from its next poll, and are delivered
 * when Connect says that their records are committed.
 */
final class ConnectDestination implements TransactionalDestination {
    private static final Unavailable STOPPED = new Unavailable("the task of the connector has stopped");

    private final RecordQueue queue;
    private final RecordForm form;
    private final Map<String, String> partition;
    private final CommittedOffsets offsets;
    private final Sessions<Session> sessions;
    private final AtomicReference<@Nullable ConnectTransactions> writer = new AtomicReference<>();

    /** @param partition of records whose position the store keeps */
    ConnectDestination(RecordQueue queue, RecordForm form, Map<String, String> partition, CommittedOffsets offsets) {
        this.queue = queue;
        this.form = form;
        this.partition = partition;
        this.offsets = offsets;
        this.sessions = new Sessions<>("Kafka Connect", Session::new);
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.KEPT_IN_FLIGHT, form.maxBytes());
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return sessions.publish(batch, seen);
    }

    @Override
    public TransactionalWriter openWriter(String id) {
        @Nullable ConnectTransactions last = writer.get();
        if (last != null) {
            last.awaitOutcome();
        }
        ConnectTransactions opened = new ConnectTransactions(queue, form, offsets.of(id));
        writer.set(opened);
        return opened;
    }

    @Override
    public void abort() {
        sessions.abort();
        endWriter();
    }

    @Override
    public void close() {
        sessions.close();
        endWriter();
    }

    private void endWriter() {
        @Nullable ConnectTransactions current = writer.get();
        if (current != null) {
            current.end();
        }
    }

    /** Between two aborts. Records that Connect has already taken may still arrive after the end. */
    private final class Session implements Sessions.Session {
        private final Set<InFlightBatch> open = ConcurrentHashMap.newKeySet();
        private volatile @Nullable Unavailable end;

        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> messages, Seen seen) {
            InFlightBatch batch = new InFlightBatch(messages, seen);
            open.add(batch);
            Parcel parcel = new Parcel();
            for (int i = 0; i < messages.size(); i++) {
                int index = i;
                OutboundMessage message = messages.get(i);
                RecordForm.Made made = form.make(message);
                Delivery.@Nullable Refused refusal = made.refusal();
                if (refusal != null) {
                    answer(batch, index, refusal);
                }
                made.record()
                        .ifPresent(record -> parcel.add(
                                record,
                                partition,
                                SourceOffsets.offsetOfEvent(message.event().id().toString()),
                                () -> answer(batch, index, Delivery.DELIVERED)));
            }
            if (!parcel.records().isEmpty() && !queue.offer(parcel)) {
                answerOpen(batch, STOPPED);
            }
            // An abort on another thread may have come before the offer.
            @Nullable Unavailable ended = end;
            if (ended != null) {
                queue.withdraw(parcel);
                answerOpen(batch, ended);
            }
            return batch.outcomes();
        }

        private void answer(InFlightBatch batch, int index, Delivery outcome) {
            if (batch.answer(index, outcome)) {
                open.remove(batch);
                batch.complete();
            }
        }

        private void answerOpen(InFlightBatch batch, Unavailable why) {
            batch.openPlaces().forEach(place -> answer(batch, place.index(), why));
        }

        @Override
        public @Nullable Unavailable end() {
            return end;
        }

        @Override
        public void abort(Unavailable why) {
            end = why;
            queue.withdrawAll();
            List.copyOf(open).forEach(batch -> answerOpen(batch, why));
        }

        @Override
        public void close(Unavailable why) {
            abort(why);
        }
    }
}
