package dev.waybill.relay;

import dev.waybill.relay.Outgoing.Answer;
import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The path of an event through the relay: claim → route and format → publish → settle. {@link #runOnce} is one cycle and
 * completes all its effects. It does not wait for answers of the destination, but claiming and settling use the store, and a
 * publish may block briefly. One thread; the destination's threads only put answers into {@link Outgoing}.
 *
 * <p><b>Settling in order.</b> Several batches are in flight at once, but they are settled in the order in which they were
 * claimed, because a store may have only one position. A batch is settled when it is the oldest and all its outcomes are known,
 * whatever arrived first.
 *
 * <p><b>Keys.</b> When an event is retried (or is dead and holds its key), all later events of the key wait behind it: in its
 * own batch, and in batches that were already claimed ({@link ClosedKeys}). From the settlement on, the store keeps the key
 * closed. Only one event of a key is in flight at a time ({@link KeyTurns}) if the destination keeps no order after a failure,
 * or if dead events hold their key.
 *
 * <p><b>Unavailable destination.</b> No attempt is counted. The cycle waits for all answers, settles the events up to the first
 * undelivered one, and releases the rest: the store returns them again from there. If outages count
 * ({@link RelayOptions#countOutages}), events that were sent are settled as failed instead, and their keys wait.
 */
final class RelayCycle implements Cycle {
    /** Answers arrive per publish: in a large one, every key would wait for the slowest event. */
    private static final int ONE_AT_A_TIME_PUBLISH = 50;

    private final ClaimAhead session;
    private final RouteAndFormat formatting;
    private final RelayOptions options;
    private final Callbacks callbacks;
    private final Limits limits;
    private final boolean oneAtATime;
    private final Throttle throttle;

    private final Deque<ClaimedBatch> batches = new ArrayDeque<>();
    private final LongSupplier nanoTime;
    private final Outgoing outgoing;
    private final Runnable abort;
    private final ClosedKeys closedKeys = new ClosedKeys();
    private final Outcomes outcomes;
    private final KeyTurns turns = new KeyTurns();
    private final SettlingBehind behind;
    /** Events that can be sent now, in order. */
    private final Deque<ClaimedEvent> ready = new ArrayDeque<>();

    private long batchNumber;
    private long ordinal;
    private long bytesInFlight;
    private @Nullable String unavailable;

    /** Implemented by the loop that runs the cycle. */
    interface Callbacks {
        /** Answers have arrived, or a batch was settled, so the next cycle has work. Called on any thread. */
        void answersArrived();

        /** Whether the lease is certainly still held. Called before every publish. */
        boolean mayPublish();

        /** Makes the calls of the application's code. */
        UserCalls calls();

        void claimed(List<StoredEvent> events);

        /**
         * Called before every publish.
         *
         * @param sinceClaim time since the first of them was claimed
         */
        Sending sending(
                Supplier<List<StoredEvent>> events, List<OutboundMessage> messages, Supplier<Duration> sinceClaim);

        /**
         * A batch was settled. Released events are claimed again.
         *
         * @param progress whether the destination has accepted or refused one of the events
         */
        void settled(List<Settlement> settlements, List<StoredEvent> events, boolean progress);

        /** So many events are sent again although the destination has them, or may have them. */
        void repeats(int events);
    }

    RelayCycle(ClaimAhead session, RelayPlan plan, InstantSource clock, Callbacks callbacks) {
        this(session, plan, clock, callbacks, System::nanoTime);
    }

    /** @param nanoTime monotonic clock that measures how long a publish is in flight */
    RelayCycle(ClaimAhead session, RelayPlan plan, InstantSource clock, Callbacks callbacks, LongSupplier nanoTime) {
        this.session = session;
        Destination destination = plan.destination();
        this.formatting = new RouteAndFormat(plan, callbacks.calls());
        this.options = plan.options();
        this.callbacks = callbacks;
        this.nanoTime = nanoTime;
        this.outgoing = new Outgoing(destination, callbacks, nanoTime);
        this.behind = new SettlingBehind(session, callbacks::answersArrived);
        this.abort = () -> AbortDestination.now(plan);
        this.outcomes = new Outcomes(plan, clock, closedKeys);
        this.limits = new Limits(
                options.batch().events(),
                options.batch().bytes(),
                destination.guarantees().maxMessageBytes());
        this.throttle = new Throttle(options.rate(), clock);
        // After a refusal, destinations send later events of the key; if it must hold them, none may be in flight with
        // it.
        this.oneAtATime = destination.guarantees().order() == KeyOrder.ONE_AT_A_TIME || options.onDead() == OnDead.HOLD;
    }

    @Override
    public CycleResult runOnce() {
        takeInAnswers();
        if (unavailable != null) {
            return handleUnavailable();
        }
        publishReady();
        boolean settled = settleComplete();
        if (batches.size() + behind.size() >= options.inFlight().batches()
                || bytesInFlight >= options.inFlight().bytes()) {
            return settled ? CycleResult.WORKED : CycleResult.FULL;
        }
        Duration throttled = throttle.untilNext();
        if (!throttled.isZero()) {
            return settled ? CycleResult.WORKED : new CycleResult.Throttled(throttled);
        }
        Optional<Batch> claimed = session.claim(throttle.within(limits));
        if (claimed.isEmpty()) {
            return settled ? CycleResult.WORKED : idleOrWaiting();
        }
        ClaimedBatch batch = register(claimed.get());
        throttle.claimed(batch.events.size());
        callbacks.claimed(batch.events);
        routeAndFormat(batch);
        bytesInFlight += batch.bytes();
        enqueue(batch);
        publishReady();
        return CycleResult.WORKED;
    }

    private void takeInAnswers() {
        for (Answer answer = outgoing.takeAnswer(); answer != null; answer = outgoing.takeAnswer()) {
            takeIn(answer);
        }
    }

    /** Settles complete batches, oldest first; published ones of a backlog while the cycle goes on. */
    private boolean settleComplete() {
        boolean settled = false;
        while (!batches.isEmpty() && batches.getFirst().isComplete()) {
            ClaimedBatch batch = batches.getFirst();
            if (session.settlesBehind() && closedKeys.isEmpty() && outcomes.isPublished(batch)) {
                behind.begin(batch);
            } else {
                settle(batch, options.countOutages());
            }
            batches.removeFirst();
            settled = true;
        }
        behind.takeSettled(this::published);
        if (batches.isEmpty() && !closedKeys.isEmpty() && session.claimed() == 0) {
            closedKeys.clear();
        }
        return settled;
    }

    private ClaimedBatch register(Batch claimed) {
        ClaimedBatch batch = new ClaimedBatch(++batchNumber, claimed, ordinal, nanoTime.getAsLong());
        ordinal += batch.events.size();
        batches.addLast(batch);
        return batch;
    }

    /** An event that cannot be routed or formatted is dead at once. The others of the batch continue. */
    private void routeAndFormat(ClaimedBatch batch) {
        for (int i = 0; i < batch.events.size(); i++) {
            int index = i;
            formatting.make(
                    batch.events.get(i), message -> batch.ready(index, message), error -> giveUp(batch, index, error));
        }
    }

    private void giveUp(ClaimedBatch batch, int index, String error) {
        boolean holds = options.onDead() == OnDead.HOLD;
        if (holds) {
            closedKeys.close(batch.orderKey(index), batch.ordinal(index), batch.number);
        }
        batch.decide(index, new Settlement.Dead(error, false, holds));
    }

    private void enqueue(ClaimedBatch batch) {
        for (int i = 0; i < batch.events.size(); i++) {
            if (batch.isUnsent(i)) {
                ClaimedEvent event = new ClaimedEvent(batch, i);
                if (!oneAtATime || turns.enter(event)) {
                    ready.addLast(event);
                }
            }
        }
    }

    /** Sends events that are ready, except those that must wait behind an earlier event of their key. */
    private void publishReady() {
        int most = oneAtATime ? ONE_AT_A_TIME_PUBLISH : Integer.MAX_VALUE;
        while (!ready.isEmpty() && callbacks.mayPublish()) {
            List<ClaimedEvent> sending = new ArrayList<>(Math.min(most, ready.size()));
            for (ClaimedEvent event = ready.poll();
                    event != null;
                    event = sending.size() < most ? ready.poll() : null) {
                if (goesBehind(event)) {
                    event.decide(Settlement.BEHIND);
                    leave(event);
                } else {
                    sending.add(event);
                }
            }
            if (!sending.isEmpty()) {
                outgoing.publish(sending);
            }
        }
    }

    private boolean goesBehind(ClaimedEvent event) {
        return !closedKeys.isEmpty() && closedKeys.goesBehind(event.orderKey(), event.ordinal(), event.batch().number);
    }

    private void leave(ClaimedEvent event) {
        if (oneAtATime) {
            ClaimedEvent next = turns.leave(event);
            if (next != null) {
                ready.addLast(next);
            }
        }
    }

    private void takeIn(Answer answer) {
        for (int i = 0; i < answer.events().size(); i++) {
            ClaimedEvent event = answer.events().get(i);
            Delivery delivery = answer.deliveries().get(i);
            event.arrived(delivery);
            leave(event);
            if (delivery instanceof Delivery.Unavailable failed) {
                unavailable = failed.error();
            }
            if (outcomes.closesKey(delivery)) {
                closedKeys.close(event.orderKey(), event.ordinal(), event.batch().number);
            }
        }
    }

    /** @return whether an event was released; then all batches claimed later must be released too */
    private boolean settle(ClaimedBatch batch, boolean countOutages) {
        behind.awaitAll(this::published);
        List<Settlement> settlements = outcomes.settlements(batch, batchNumber + session.claimed(), countOutages);
        session.settle(batch.claimed, settlements);
        settled(batch, settlements);
        return settlements.contains(Settlement.RELEASED);
    }

    private void published(ClaimedBatch batch) {
        settled(batch, Collections.nCopies(batch.events.size(), Settlement.PUBLISHED));
    }

    private void settled(ClaimedBatch batch, List<Settlement> settlements) {
        bytesInFlight -= batch.bytes();
        closedKeys.settled(batch.number);
        throttle.inDoubt(Outcomes.inDoubt(settlements));
        callbacks.settled(settlements, batch.events, Outcomes.isProgress(batch, settlements));
        callbacks.repeats(batch.repeats(settlements));
    }

    private CycleResult idleOrWaiting() {
        return unanswered().messages() > 0 || behind.size() > 0 ? CycleResult.WAITING : CycleResult.IDLE;
    }

    private CycleResult handleUnavailable() {
        // Also if nothing is in flight: it tells the destination that the relay knows of the failure.
        abort.run();
        if (!isAnswered()) {
            return CycleResult.FULL;
        }
        String error = String.valueOf(unavailable);
        releaseRest(options.countOutages());
        return new CycleResult.Unavailable(error);
    }

    /** Settles the events up to the first one that was not delivered, or not sent if outages count, and releases the rest. */
    private void releaseRest(boolean countOutages) {
        behind.awaitAll(this::published);
        boolean released = false;
        while (!batches.isEmpty() && !released) {
            released = settle(batches.getFirst(), countOutages);
            batches.removeFirst();
        }
        session.releaseAhead();
        dropBatches();
        turns.clear();
        ready.clear();
        bytesInFlight = 0;
        unavailable = null;
    }

    /** Sends nothing until all are answered: later events could overtake released ones. */
    @Override
    public void abort(String why) {
        unavailable = why;
        abort.run();
    }

    @Override
    public void abandon() {
        outgoing.abandon();
        batches.addAll(behind.abandon(this::published));
        dropBatches();
    }

    private void dropBatches() {
        callbacks.repeats(
                batches.stream().mapToInt(ClaimedBatch::repeatsUnsettled).sum());
        batches.clear();
    }

    @Override
    public Outgoing.Unanswered unanswered() {
        return outgoing.unanswered();
    }

    private boolean isAnswered() {
        return batches.stream().allMatch(ClaimedBatch::isAnswered);
    }

    /** What it aborts itself is no outage. */
    @Override
    public boolean finish() {
        takeInAnswers();
        if (!isAnswered()) {
            return false;
        }
        releaseRest(false);
        return true;
    }
}
