package dev.waybill.kafka;

import dev.waybill.kafka.WaitingRoom.Place;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * The life of one producer. It ends with the first failure that leaves the fate of a message open: then the producer is
 * closed before it can send what follows, and everything that is out and not acknowledged is unavailable. So a message that
 * was sent is delivered, refused, or unavailable together with all behind it, and is never retried alone.
 *
 * <p>The order of a key. The idempotent producer keeps it for what is sent. A message whose topic is not known waits in the
 * room, and later ones of its key, to whatever topic, wait behind it; the others are sent at once. When the topic turns
 * out to be missing the message is answered Retry and its key is closed, so that nothing passes it ({@link ClosedKeys}).
 *
 * <p>Locks. Messages are placed under the lock, and {@code send} may block there while the producer's buffer is full: that
 * is the back-pressure. Acknowledgements never take it. Batches are completed outside of it, because whoever waits for one
 * may hold locks of his own.
 */
final class ProducerSession {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ProducerLife life;
    private final KafkaErrors errors;
    private final TopicLookup lookup;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomIsEmpty = lock.newCondition();
    private final Topics topics;
    private final WaitingRoom room = new WaitingRoom();
    private final ClosedKeys closedKeys = new ClosedKeys();
    private final Deque<InFlightBatch> inFlight = new ArrayDeque<>();
    private final List<InFlightBatch> answered = new ArrayList<>();
    private long batches;
    private long seenBelow;

    ProducerSession(Producer<byte[], byte[]> producer, KafkaErrors errors, TopicLookup lookup, long topicIdleNanos) {
        this.life = new ProducerLife(producer);
        this.errors = errors;
        this.lookup = lookup;
        this.topics = new Topics(topicIdleNanos, (topic, patient) -> lookup.ask(topic, patient, this));
    }

    CompletionStage<List<Delivery>> publish(List<OutboundMessage> messages) {
        InFlightBatch batch;
        lock.lock();
        try {
            takeInWhatTheRelayHasSeen();
            batch = new InFlightBatch(batches++, messages);
            inFlight.add(batch);
            topics.tick(System.nanoTime());
            for (int i = 0; i < messages.size(); i++) {
                OutboundMessage message = batch.message(i);
                if (room.isEmpty() && closedKeys.isEmpty() && topics.isKnown(message.topic())) {
                    send(batch, i);
                } else {
                    place(new Place(batch, i, message.event().orderKey()));
                }
            }
        } finally {
            unlockAndComplete();
        }
        return batch.outcomes();
    }

    /** Why it ended; nothing while it lives. */
    @Nullable Unavailable end() {
        return life.end();
    }

    boolean isComplete() {
        lock.lock();
        try {
            return inFlight.stream().allMatch(InFlightBatch::isComplete);
        } finally {
            lock.unlock();
        }
    }

    /** What was complete at the last publish the relay has taken in before it came again. */
    private void takeInWhatTheRelayHasSeen() {
        closedKeys.relayHasSeenBatchesBelow(seenBelow);
        for (InFlightBatch first = inFlight.peek(); first != null && first.isComplete(); first = inFlight.peek()) {
            inFlight.remove();
        }
        InFlightBatch first = inFlight.peek();
        seenBelow = first == null ? batches : first.number();
    }

    private void place(Place place) {
        Utf8 eventId = place.message().event().id();
        if (closedKeys.holdsBack(place.key(), eventId)) {
            closeAndAnswer(place, Delivery.BEHIND);
        } else if (room.has(place.key())) {
            room.enter(place);
        } else {
            Topics.State state = topics.stateOf(place.message().topic());
            if (state instanceof Topics.Known) {
                send(place.batch(), place.index());
            } else if (state instanceof Topics.Absent absent) {
                refuseOrRetry(place, absent.why());
            } else {
                room.enter(place);
            }
        }
    }

    private void refuseOrRetry(Place place, Delivery why) {
        if (why instanceof Retry) {
            closeAndAnswer(place, why);
        } else {
            answer(place.batch(), place.index(), why);
        }
    }

    private void closeAndAnswer(Place place, Delivery why) {
        closedKeys.close(
                place.key(), place.message().event().id(), place.batch().number());
        answer(place.batch(), place.index(), why);
    }

    private void send(InFlightBatch batch, int index) {
        Unavailable over = life.end();
        if (over != null) {
            answer(batch, index, over);
            return;
        }
        OutboundMessage message = batch.message(index);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(message.topic(), message.key(), message.value());
        Headers headers = record.headers();
        List<Header> given = message.headers();
        for (int i = 0; i < given.size(); i++) {
            Header header = given.get(i);
            headers.add(new RecordHeader(header.name(), header.value()));
        }
        try {
            var unused = life.producer().send(record, new Sent(batch, index));
        } catch (RuntimeException e) {
            fail(batch, index, e);
        }
    }

    private void fail(InFlightBatch batch, int index, Exception error) {
        Delivery outcome = errors.whenSending(batch.message(index).topic(), error);
        if (outcome instanceof Unavailable unavailable) {
            endBecause(unavailable);
        }
        answer(batch, index, outcome);
    }

    private void answer(InFlightBatch batch, int index, Delivery outcome) {
        if (batch.failed(index, outcome)) {
            complete(batch);
        }
    }

    private void complete(InFlightBatch batch) {
        if (lock.isHeldByCurrentThread()) {
            answered.add(batch);
        } else {
            batch.complete();
        }
    }

    void topicIsThere(String topic) {
        // The producer learns of it here, or the relay would wait for that in its first send.
        life.producer().partitionsFor(topic);
        lock.lock();
        try {
            topics.tick(System.nanoTime());
            topics.isThere(topic);
            placeAgain();
        } finally {
            unlockAndComplete();
        }
    }

    void topicIsAbsent(String topic, Delivery why) {
        lock.lock();
        try {
            topics.tick(System.nanoTime());
            topics.isAbsent(topic, why);
            placeAgain();
        } finally {
            unlockAndComplete();
        }
    }

    private void placeAgain() {
        for (Place place : room.leave()) {
            place(place);
        }
        if (room.isEmpty()) {
            roomIsEmpty.signalAll();
        }
    }

    /** Ends the session, if it has not ended, without waiting for anything. */
    void endBecause(Unavailable why) {
        if (!life.endBecause(why)) {
            return;
        }
        if (lock.isHeldByCurrentThread()) {
            life.closeElsewhere(Duration.ZERO, Duration.ZERO);
        } else {
            life.closeHere();
            lookup.execute(this::emptyRoom);
        }
    }

    /** Ends the session at once; returns when everything is answered, or soon after. */
    void abort(Unavailable why) {
        life.endBecause(why);
        life.closeElsewhere(Duration.ZERO, PATIENCE);
        boolean locked = false;
        try {
            locked = lock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (locked) {
            unlockAndComplete();
        } else {
            lookup.execute(this::emptyRoom);
        }
    }

    /** Sends what it has, as long as that takes but no longer than the given time, and ends. */
    void close(Unavailable why, Duration grace) {
        lock.lock();
        try {
            long left = grace.toNanos();
            while (!room.isEmpty() && life.end() == null && left > 0) {
                left = roomIsEmpty.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        life.closeElsewhere(grace, grace.plus(PATIENCE));
        abort(why);
    }

    private void emptyRoom() {
        lock.lock();
        unlockAndComplete();
    }

    private void unlockAndComplete() {
        Unavailable over = life.end();
        if (over != null) {
            for (Place place : room.leave()) {
                answer(place.batch(), place.index(), over);
            }
            roomIsEmpty.signalAll();
        }
        List<InFlightBatch> complete = answered.isEmpty() ? List.of() : List.copyOf(answered);
        answered.clear();
        lock.unlock();
        complete.forEach(InFlightBatch::complete);
    }

    /** Kafka's word on one message. */
    private final class Sent implements Callback {
        private final InFlightBatch batch;
        private final int index;

        Sent(InFlightBatch batch, int index) {
            this.batch = batch;
            this.index = index;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, @Nullable Exception error) {
            if (error != null) {
                fail(batch, index, error);
            } else if (batch.delivered()) {
                complete(batch);
            }
        }
    }
}
