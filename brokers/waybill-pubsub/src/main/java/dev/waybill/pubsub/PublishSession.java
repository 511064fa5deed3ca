package dev.waybill.pubsub;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.pubsub.v1.PublishResponse;
import dev.waybill.pubsub.Lane.Request;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.Answers;
import dev.waybill.spi.support.FailedKeys;
import dev.waybill.spi.support.InFlightBatch;
import dev.waybill.spi.support.InFlightBatch.Place;
import dev.waybill.spi.support.Sessions;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One use of the client. It ends with the first failure of Pub/Sub as a whole, or when the relay aborts: then all unacknowledged
 * messages are unavailable, and late answers are ignored.
 *
 * <p>Each key has a lane with one request in flight at a time ({@link Lane}), so messages behind a failed one of their key have
 * not been sent. A refused message leaves its lane, and those behind it continue. After a Retry everything in the lane is answered
 * Behind, and so are messages published before the relay has seen the Retry ({@link FailedKeys}).
 *
 * <p>Locks. Messages are placed and answered under the lock; requests are made and sent, and batches completed, outside of
 * it. The relay's thread only places.
 */
final class PublishSession implements Sessions.Session {
    /** If no buffer space frees up in this time, Pub/Sub counts as unavailable. */
    private static final Duration LONGEST_BLOCK = Duration.ofSeconds(5);

    private final PubSubOptions options;
    private final PubSubErrors errors;
    private final Suspects suspects;
    private final ScheduledExecutorService threads;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final Lanes lanes = new Lanes();
    private final Set<Request> out = new LinkedHashSet<>();
    private final FailedKeys failedKeys = new FailedKeys();
    private final Answers answers = new Answers(lock);
    private volatile @Nullable PubSubClient client;
    private volatile @Nullable Unavailable end;
    private boolean delivered;
    private long bytes;

    PublishSession(PubSubOptions options, PubSubErrors errors, Suspects suspects, ScheduledExecutorService threads) {
        this.options = options;
        this.errors = errors;
        this.suspects = suspects;
        this.threads = threads;
    }

    /** Opens the client on a separate thread; messages published before that wait for it. */
    void begin() {
        threads.execute(this::openClient);
    }

    private void openClient() {
        long millis = options.deliveryTimeout().toMillis();
        var watch = threads.schedule(
                () -> endBecause(errors.unavailable("no client after " + millis + " ms")),
                millis,
                TimeUnit.MILLISECONDS);
        try {
            useClient(PubSubClient.open(options, threads));
            sendWhatIsReady();
        } catch (Exception e) {
            endBecause(errors.cannotOpen(e));
        } finally {
            watch.cancel(false);
        }
    }

    private void useClient(PubSubClient opened) {
        lock.lock();
        try {
            if (end == null) {
                client = opened;
                return;
            }
        } finally {
            lock.unlock();
        }
        opened.shutdownNow();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> messages, Seen seen) {
        InFlightBatch batch = new InFlightBatch(messages, seen);
        lock.lock();
        try {
            awaitRoom();
            Unavailable over = end;
            if (over != null) {
                threads.execute(this::letClientGo);
                return CompletableFuture.completedFuture(Collections.nCopies(messages.size(), over));
            }
            failedKeys.forgetWhatWas(seen);
            for (int i = 0; i < messages.size(); i++) {
                place(new Place(batch, i));
            }
        } finally {
            unlockAndComplete();
        }
        threads.execute(this::sendWhatIsReady);
        return batch.outcomes();
    }

    /** Back-pressure. Usually the relay's own limit is reached first. */
    private void awaitRoom() {
        long left = LONGEST_BLOCK.toNanos();
        try {
            while (bytes > options.inFlight().bytes() && end == null) {
                if (left <= 0) {
                    stop(errors.unavailable(bytes + " bytes wait for acknowledgement, and none was received for "
                            + LONGEST_BLOCK.toSeconds() + " s"));
                } else {
                    left = answered.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void place(Place place) {
        bytes += PreparedMessage.weight(place.message());
        if (failedKeys.holdsBack(place)) {
            failAndAnswer(place, Delivery.BEHIND);
        } else {
            lanes.enter(place);
        }
    }

    private void sendWhatIsReady() {
        for (Request request = takeNext(); request != null; request = takeNext()) {
            send(request);
        }
    }

    private @Nullable Request takeNext() {
        lock.lock();
        try {
            boolean mayGo = end == null
                    && client != null
                    && out.size() < options.inFlight().requests();
            Lane lane = mayGo ? lanes.next() : null;
            if (lane == null) {
                return null;
            }
            Request request = lane.next();
            out.add(request);
            return request;
        } finally {
            lock.unlock();
        }
    }

    private void send(Request request) {
        try {
            Packed packed = Packed.of(request.places(), request.topic(), options.project());
            PubSubClient sending = client;
            if ((packed.unfit().isEmpty() || refuse(request, packed)) && sending != null) {
                boolean patient = !suspects.has(request.first().eventId());
                ApiFuture<PublishResponse> call = sending.publish(packed.request(), patient);
                request.isOnItsWay(call);
                ApiFutures.addCallback(call, new Answer(request), threads);
            }
        } catch (RuntimeException e) {
            failed(request, e);
        }
        if (end != null) {
            request.cancel();
        }
    }

    /**
     * Answers messages that do not fit, before the request is sent.
     *
     * @return whether something is left to send
     */
    private boolean refuse(Request request, Packed packed) {
        lock.lock();
        try {
            if (!out.contains(request)) {
                return false;
            }
            packed.unfit().forEach(this::answer);
            request.keep(packed.fit());
            if (packed.fit().isEmpty()) {
                out.remove(request);
                lanes.goOn(request.lane());
            }
            return !packed.fit().isEmpty();
        } finally {
            unlockAndComplete();
        }
    }

    private void acknowledged(Request request, PublishResponse response) {
        int ids = response.getMessageIdsCount();
        if (ids != request.places().size()) {
            endBecause(errors.unavailable(
                    "it returned " + ids + " ids for " + request.places().size() + " messages"));
            return;
        }
        lock.lock();
        try {
            if (out.remove(request)) {
                delivered = true;
                suspects.clear(request.first().eventId());
                request.places().forEach(place -> answer(place, Delivery.DELIVERED));
                lanes.goOn(request.lane());
            }
        } finally {
            unlockAndComplete();
        }
    }

    private void failed(Request request, Throwable error) {
        boolean over = false;
        lock.lock();
        try {
            if (!out.remove(request)) {
                return;
            }
            if (request.places().size() > 1 && PubSubErrors.isOfOneMessage(error)) {
                request.lane().sendSingly(request.places());
            } else {
                Delivery outcome = outcome(request, error);
                if (outcome instanceof Unavailable unavailable) {
                    request.places().forEach(place -> answer(place, unavailable));
                    over = stop(unavailable);
                } else if (outcome instanceof Retry why) {
                    retryAll(request, why);
                } else {
                    request.places().forEach(place -> answer(place, outcome));
                }
            }
            lanes.goOn(request.lane());
        } finally {
            unlockAndComplete();
        }
        if (over) {
            letClientGo();
        }
    }

    private Delivery outcome(Request request, Throwable error) {
        Delivery outcome = errors.whenSending(request.topic(), error);
        if (!(outcome instanceof Unavailable away)) {
            return outcome;
        }
        Utf8 first = request.first().eventId();
        if (delivered && suspects.has(first)) {
            return new Retry(away.error() + " for this key only: others are delivered");
        }
        suspects.add(first);
        return away;
    }

    private void retryAll(Request request, Retry why) {
        request.places().forEach(place -> failAndAnswer(place, why));
        request.lane().leave().forEach(place -> failAndAnswer(place, Delivery.BEHIND));
    }

    private void failAndAnswer(Place place, Delivery why) {
        failedKeys.add(place);
        answer(place, why);
    }

    private void answer(Place place, Delivery outcome) {
        bytes -= PreparedMessage.weight(place.message());
        answers.answer(place, outcome);
    }

    @Override
    public @Nullable Unavailable end() {
        return end;
    }

    @Override
    public void abort(Unavailable why) {
        endBecause(why);
    }

    /** Ends the session, if it has not ended: everything in flight is unavailable. Does not wait. */
    void endBecause(Unavailable why) {
        boolean over;
        lock.lock();
        try {
            over = stop(why);
        } finally {
            unlockAndComplete();
        }
        if (over) {
            letClientGo();
        }
    }

    /**
     * @return false if it had already ended
     */
    private boolean stop(Unavailable why) {
        if (end != null) {
            return false;
        }
        end = why;
        out.forEach(request -> request.places().forEach(place -> answer(place, why)));
        lanes.leave().forEach(place -> answer(place, why));
        return true;
    }

    private void letClientGo() {
        PubSubClient gone;
        List<Request> calls;
        lock.lock();
        try {
            gone = client;
            client = null;
            calls = List.copyOf(out);
            out.clear();
        } finally {
            lock.unlock();
        }
        // Cancelled first, because the client would retry them.
        calls.forEach(Request::cancel);
        if (gone != null) {
            gone.shutdownNow();
        }
    }

    @Override
    public void close(Unavailable why) {
        lock.lock();
        try {
            long left = options.deliveryTimeout().toNanos();
            while (bytes > 0 && end == null && left > 0) {
                left = answered.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        endBecause(why);
    }

    private void unlockAndComplete() {
        answered.signalAll();
        answers.unlockAndComplete();
    }

    /** Pub/Sub's answer to one request. */
    private final class Answer implements ApiFutureCallback<PublishResponse> {
        private final Request request;

        Answer(Request request) {
            this.request = request;
        }

        @Override
        public void onSuccess(PublishResponse response) {
            acknowledged(request, response);
            sendWhatIsReady();
        }

        @Override
        public void onFailure(Throwable error) {
            failed(request, error);
            sendWhatIsReady();
        }
    }
}
