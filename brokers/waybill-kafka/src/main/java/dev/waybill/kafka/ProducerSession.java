package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.InDoubt;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.Answers;
import dev.waybill.spi.support.FailedKeys;
import dev.waybill.spi.support.InFlightBatch;
import dev.waybill.spi.support.InFlightBatch.Place;
import dev.waybill.spi.support.Sessions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The messages in flight to Kafka between two outages. A session ends with the first failure that leaves the outcome of a message
 * unknown and does not concern its partition alone: then the producer is closed before it can send later messages, and all
 * unacknowledged messages are unavailable. So a message that was sent is delivered, refused, in doubt together with all later ones
 * of its partition, or unavailable together with all later ones. It is never retried alone.
 *
 * <p>The producer is replaced, and the session continues, if some partitions are unavailable or if the broker refuses a batch of
 * the producer because of single records in it. All unacknowledged messages are placed again, in order: those to an unavailable
 * partition are answered InDoubt, the others are sent again by the new producer. A producer that is replaced because of
 * unavailable partitions first waits for the acknowledgements of the other partitions, so none of their messages is repeated.
 *
 * <p>The order of a key. The idempotent producer keeps it for sent messages. A message whose topic is not known yet waits in the
 * {@link WaitingRoom}, and later ones of its key, to any topic, wait behind it; others are sent at once. All messages wait while
 * a producer is replaced. After a Retry or InDoubt no message of the key overtakes ({@link FailedKeys}).
 *
 * <p>Locks. Messages are placed under the lock, and {@code send} may block there while the producer's buffer is full: that
 * is the back-pressure. Acknowledgements never take it. Batches are completed without it ({@link Answers}).
 */
final class ProducerSession implements Sessions.Session {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final KafkaErrors errors;
    private final TopicLookup lookup;
    private final UnavailablePartitions away;
    private final AtomicReference<@Nullable Unavailable> end = new AtomicReference<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomIsEmpty = lock.newCondition();
    private final Topics topics;
    private final WaitingRoom room = new WaitingRoom();
    private final FailedKeys failedKeys = new FailedKeys();
    private final InFlight inFlight = new InFlight();
    private final Answers answers = new Answers(lock);
    private final ReplaceProducer replacing;
    private final Duration deliveryTimeout;
    /** Changed under the lock. */
    private volatile ProducerLife life;

    /**
     * @throws org.apache.kafka.common.KafkaException if no producer can be created
     */
    ProducerSession(SharedBySessions shared, long topicIdleNanos, Duration deliveryTimeout) {
        this.deliveryTimeout = deliveryTimeout;
        this.errors = shared.errors();
        this.lookup = shared.lookup();
        this.away = shared.away();
        this.life = shared.lives().get();
        this.replacing = new ReplaceProducer(this, shared);
        this.topics = new Topics(topicIdleNanos, (topic, patient) -> lookup.ask(topic, patient, this));
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> messages, Seen seen) {
        InFlightBatch batch = new InFlightBatch(messages, seen);
        lock.lock();
        try {
            failedKeys.forgetWhatWas(seen);
            inFlight.add(batch);
            tick();
            for (int i = 0; i < messages.size(); i++) {
                Place place = new Place(batch, i);
                if (room.isEmpty()
                        && failedKeys.isEmpty()
                        && topics.isKnown(messages.get(i).topic())) {
                    send(place);
                } else {
                    place(place);
                }
            }
        } finally {
            unlockAndComplete();
        }
        return batch.outcomes();
    }

    @Override
    public @Nullable Unavailable end() {
        return end.get();
    }

    private void tick() {
        topics.tick(System.nanoTime());
        life.counters().tick();
        replacing.keepWatching();
    }

    private void place(Place place) {
        if (failedKeys.holdsBack(place)) {
            closeAndAnswer(place, Delivery.BEHIND);
        } else if (room.has(place.orderKey()) || life.isRetired()) {
            room.enter(place);
        } else {
            Topics.State state = topics.stateOf(place.message().topic());
            if (state instanceof Topics.Known) {
                send(place);
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
            answers.answer(place, why);
        }
    }

    private void closeAndAnswer(Place place, Delivery why) {
        failedKeys.add(place);
        answers.answer(place, why);
    }

    private void send(Place place) {
        Unavailable over = end.get();
        if (over != null) {
            answers.answer(place, over);
            return;
        }
        OutboundMessage message = place.message();
        ProducerLife current = life;
        try {
            PartitionCounter counter = current.counters().of(message);
            if (!away.isEmpty() && isHeldBack(current, counter, place)) {
                return;
            }
            var unused = current.producer().send(counter.record(message), new Sent(this, place, counter));
            counter.sent();
        } catch (RuntimeException e) {
            failedHere(current, place, e);
        }
    }

    /**
     * A message to an unavailable partition is answered at once, but never before earlier messages to it: while those are in flight
     * it is sent behind them, and while they must be placed again it waits.
     */
    private boolean isHeldBack(ProducerLife current, PartitionCounter counter, Place place) {
        TopicPartition partition = counter.partition() == null ? inFlight.failedOn(place) : counter.partition();
        InDoubt answer = partition == null ? null : away.answerFor(partition);
        if (answer == null) {
            return false;
        }
        // In this order: a retired producer gives up what is in flight.
        boolean followsOthers = counter.partition() != null && !counter.hasNothingOut();
        if (current.isRetired()) {
            room.enter(place);
            return true;
        }
        if (!followsOthers) {
            closeAndAnswer(place, answer);
        }
        return !followsOthers;
    }

    Answers answers() {
        return answers;
    }

    /** The producer did not deliver a message; called on its thread, or on the sending thread. */
    void failed(ProducerLife with, Place place, SendFailure failure) {
        if (lock.isHeldByCurrentThread()) {
            failedHere(with, place, failure.error());
        } else {
            failedThere(with, place, failure);
        }
    }

    void failed(Throwable defect) {
        endBecause(errors.unavailable(defect));
    }

    /** On the thread that sends: the message was not sent. */
    private void failedHere(ProducerLife with, Place place, Exception error) {
        Delivery outcome = whenSending(place, error);
        if (!(outcome instanceof Unavailable unavailable) || end.get() != null) {
            answers.answer(place, outcome);
        } else if (error instanceof TimeoutException || with.isRetired()) {
            // The buffer stays full, perhaps with messages to an unavailable partition; or the producer is being
            // replaced.
            room.enter(place);
            if (with.retire()) {
                replacing.unlessAllAreAway(with, unavailable);
            }
        } else {
            endBecause(unavailable);
            answers.answer(place, outcome);
        }
    }

    /** The reason why the session ended is more useful than that the producer is closed. */
    private Delivery whenSending(Place place, Exception error) {
        Delivery outcome = errors.whenSending(place.message().topic(), error);
        Unavailable over = end.get();
        return over != null && outcome instanceof Unavailable ? over : outcome;
    }

    /** On the producer's thread. It is closed before it can send later messages. */
    private void failedThere(ProducerLife with, Place place, SendFailure failure) {
        Delivery outcome = whenSending(place, failure.error());
        if (!(outcome instanceof Unavailable unavailable) || end.get() != null) {
            answers.answer(place, outcome);
            return;
        }
        TopicPartition expired = failure.expiredOn();
        if (failure.partition() != null) {
            inFlight.failedOn(place, failure.partition());
        }
        if (expired != null) {
            with.expired(expired);
        }
        boolean ofOthers = failure.isOfItsNeighbours() || expired != null || with.isRetired();
        if (failure.isOfTheClock() || !ofOthers) {
            endBecause(unavailable);
            with.closeHere();
            answers.answer(place, outcome);
        } else if (with.retire()) {
            with.closeHere();
            if (failure.isOfItsNeighbours()) {
                replacing.atOnce(with);
            } else {
                replacing.unlessAllAreAway(with, unavailable);
            }
        }
        // Otherwise the message is placed again when the producer has been replaced.
    }

    /** Another producer takes over on the lookup's thread, unless the session has ended. Open messages are placed again. */
    boolean takeOver(ProducerLife old, ProducerLife next) {
        lock.lock();
        try {
            if (life != old) {
                return false;
            }
            life = next;
            if (end.get() != null) {
                // In this order: the thread that ended the session closed the old producer or sees the new one.
                return false;
            }
            topics.forget();
            tick();
            // Messages in the waiting room are not answered either.
            room.leave();
            placeAgain(inFlight.open());
            return true;
        } finally {
            unlockAndComplete();
        }
    }

    ProducerLife life() {
        return life;
    }

    void topicIsThere(String topic) {
        ProducerLife current = life;
        try {
            // Fetch the topic's metadata here; otherwise the relay's first send would wait for it.
            current.producer().partitionsFor(topic);
        } catch (RuntimeException e) {
            if (current.isRetired()) {
                return;
            }
            throw e;
        }
        lock.lock();
        try {
            if (current != life) {
                // The topic is looked up again for the new producer.
                return;
            }
            tick();
            topics.isThere(topic);
            placeAgain(room.leave());
        } finally {
            unlockAndComplete();
        }
    }

    void topicIsAbsent(String topic, Delivery why) {
        lock.lock();
        try {
            tick();
            topics.isAbsent(topic, why);
            placeAgain(room.leave());
        } finally {
            unlockAndComplete();
        }
    }

    private void placeAgain(List<Place> places) {
        places.forEach(this::place);
        if (room.isEmpty()) {
            roomIsEmpty.signalAll();
        }
    }

    /** Ends the session, if it has not ended, without waiting for anything. */
    void endBecause(Unavailable why) {
        if (end.compareAndSet(null, why)) {
            life.closeElsewhere(Duration.ZERO, Duration.ZERO);
            lookup.execute(this, this::finish);
        }
    }

    /** Ends the session at once; returns when everything is answered, or soon after. */
    @Override
    public void abort(Unavailable why) {
        end.compareAndSet(null, why);
        life.closeElsewhere(Duration.ZERO, PATIENCE);
        boolean locked = false;
        try {
            locked = lock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (locked) {
            answerEverything();
        } else {
            lookup.execute(this, this::finish);
        }
    }

    @Override
    public void close(Unavailable why) {
        lock.lock();
        try {
            long left = deliveryTimeout.toNanos();
            while (!room.isEmpty() && end.get() == null && left > 0) {
                left = roomIsEmpty.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        life.closeElsewhere(deliveryTimeout, deliveryTimeout.plus(PATIENCE));
        abort(why);
    }

    /**
     * Answers all open messages after the producer is closed. Usually the producer's thread has done so, unless it has died or the
     * producer was retired.
     */
    private void finish() {
        life.closeElsewhere(Duration.ZERO, PATIENCE);
        lock.lock();
        answerEverything();
    }

    /** Called with the lock, which it releases. */
    private void answerEverything() {
        Unavailable over = end.get();
        if (over != null) {
            inFlight.open().forEach(place -> answers.answer(place, over));
        }
        unlockAndComplete();
    }

    private void unlockAndComplete() {
        Unavailable over = end.get();
        if (over != null) {
            room.leave().forEach(place -> answers.answer(place, over));
            roomIsEmpty.signalAll();
        }
        answers.unlockAndComplete();
    }
}
