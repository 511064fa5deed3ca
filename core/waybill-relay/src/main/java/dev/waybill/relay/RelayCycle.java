package dev.waybill.relay;

import dev.waybill.format.Format;
import dev.waybill.format.FormatException;
import dev.waybill.format.Formatted;
import dev.waybill.relay.Outgoing.Answer;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of an event through the relay: claim → route and format → publish → settle. {@link #runOnce} is one turn, complete
 * in its effects; it waits for nothing. One thread; the destination's threads only
 * put answers into {@link Outgoing}.
 *
 * <p><b>Settling in order.</b> Several batches are out at once, but they are settled in the order in which they were claimed,
 * because a store may know its position only as one place. So the settlements of a batch are made when it is the oldest and
 * all its outcomes are known, whatever arrived first.
 *
 * <p><b>Keys.</b> When an event is to be retried (or is dead and holds its key) everything later of its key goes behind it: in
 * its own batch, and in batches that were already claimed ({@link ClosedKeys}); from the settlement on the store keeps the key
 * closed. A destination that keeps no order after a failure gets one event of a key at a time ({@link KeyTurns}), and so does
 * every one where the dead hold their key.
 *
 * <p><b>The destination away</b> is no event's fault. Everything out is waited for, what was delivered up to the first that was
 * not is settled, and the rest is released: the store gives it again from there on.
 */
final class RelayCycle {
    /** An answer comes for a whole publish: of a large one every key would wait for the slowest. */
    private static final int ONE_AT_A_TIME_PUBLISH = 50;

    private final ClaimAhead session;
    private final Route route;
    private final Format format;
    private final RelayOptions options;
    private final Surroundings surroundings;
    private final Limits batch;
    private final boolean oneAtATime;
    private final Throttle throttle;

    private final Deque<Flight> flights = new ArrayDeque<>();
    private final Outgoing outgoing;
    private final Runnable callBack;
    private final ClosedKeys closedKeys = new ClosedKeys();
    private final Outcomes outcomes;
    private final KeyTurns turns = new KeyTurns();
    /** What may be sent now, in order. */
    private final Deque<Seat> ready = new ArrayDeque<>();

    private long flightNumber;
    private long ordinal;
    private long bytesOut;
    private @Nullable String unavailable;

    /** What the cycle needs of whoever runs it. */
    interface Surroundings {
        /** Called on any thread when answers have arrived: another turn is worth its while. */
        void answersArrived();

        /** Whether the lease surely still holds; asked before every publish. */
        boolean mayPublish();

        /** A batch was claimed. */
        void claimed(List<StoredEvent> events);

        /** A batch was settled; what is released comes again. */
        void settled(List<Settlement> settlements, List<StoredEvent> events);
    }

    RelayCycle(ClaimAhead session, RelayPlan plan, InstantSource clock, Surroundings surroundings) {
        this(session, plan, clock, surroundings, System::nanoTime);
    }

    /** @param nanoTime the monotonic clock, by which it is known how long a publish is out */
    RelayCycle(
            ClaimAhead session, RelayPlan plan, InstantSource clock, Surroundings surroundings, LongSupplier nanoTime) {
        this.session = session;
        Destination destination = plan.destination();
        this.route = plan.route();
        this.format = plan.format();
        this.options = plan.options();
        this.surroundings = surroundings;
        this.outgoing = new Outgoing(destination, surroundings::answersArrived, nanoTime);
        this.callBack = () -> CallBack.whatIsOut(plan);
        this.outcomes = new Outcomes(plan, clock, closedKeys);
        this.batch = new Limits(
                options.batch().events(),
                options.batch().bytes(),
                destination.guarantees().maxMessageBytes());
        this.throttle = new Throttle(options.rate(), clock);
        // A refusal lets later ones of the key pass everywhere; where it is to hold them none may be out beside it.
        this.oneAtATime = destination.guarantees().order() == KeyOrder.ONE_AT_A_TIME || options.onDead() == OnDead.HOLD;
    }

    Turn runOnce() {
        takeInAnswers();
        if (unavailable != null) {
            return goneAway();
        }
        publishReady();
        boolean settled = settleComplete();
        if (flights.size() >= options.inFlight().batches()
                || bytesOut >= options.inFlight().bytes()) {
            return settled ? Turn.WORKED : Turn.FULL;
        }
        Duration throttled = throttle.untilNext();
        if (!throttled.isZero()) {
            return settled ? Turn.WORKED : new Turn.Throttled(throttled);
        }
        Optional<Batch> claimed = session.claim(throttle.within(batch));
        if (claimed.isEmpty()) {
            return settled ? Turn.WORKED : Turn.IDLE;
        }
        Flight flight = takeOff(claimed.get());
        throttle.claimed(flight.events.size());
        surroundings.claimed(flight.events);
        routeAndFormat(flight);
        bytesOut += flight.bytes();
        lineUp(flight);
        publishReady();
        return Turn.WORKED;
    }

    private void takeInAnswers() {
        for (Answer answer = outgoing.takeAnswer(); answer != null; answer = outgoing.takeAnswer()) {
            takeIn(answer);
        }
    }

    /** Settles what is known, oldest first. */
    private boolean settleComplete() {
        boolean settled = false;
        while (!flights.isEmpty() && flights.getFirst().isComplete()) {
            settle(flights.removeFirst());
            settled = true;
        }
        if (flights.isEmpty() && !closedKeys.isEmpty() && session.claimed() == 0) {
            closedKeys.clear();
        }
        return settled;
    }

    private Flight takeOff(Batch claimed) {
        Flight flight = new Flight(++flightNumber, claimed, ordinal);
        ordinal += flight.events.size();
        flights.addLast(flight);
        return flight;
    }

    /** What cannot be routed or formatted is dead at once, and only that. */
    private void routeAndFormat(Flight flight) {
        for (int i = 0; i < flight.events.size(); i++) {
            StoredEvent event = flight.events.get(i);
            if (event.isWithheld()) {
                giveUp(flight, i, tooLarge(event));
                continue;
            }
            try {
                Address address = route.addressOf(event);
                Formatted formatted = format.format(event);
                flight.ready(
                        i,
                        new OutboundMessage(
                                EventFacts.of(event),
                                address.topic(),
                                address.key(),
                                formatted.value(),
                                formatted.headers()));
            } catch (RouteException | FormatException e) {
                giveUp(flight, i, String.valueOf(e.getMessage()));
            } catch (Exception | StackOverflowError e) {
                // Nested too deep is this event's fault; any other Error is about the process, and no event's.
                giveUp(
                        flight,
                        i,
                        "The route or format failed with " + e.getClass().getName() + Outgoing.placeOf(e)
                                + ": correct it, then requeue the event.");
            }
        }
    }

    private String tooLarge(StoredEvent event) {
        return "The event has " + event.bytes() + " bytes, and the destination takes at most " + batch.largest()
                + " in one message; it was not read. Put large data elsewhere and send a reference, or raise the"
                + " destination's limit and requeue the event.";
    }

    private void giveUp(Flight flight, int index, String error) {
        boolean holds = options.onDead() == OnDead.HOLD;
        if (holds) {
            closedKeys.close(flight.orderKey(index), flight.ordinal(index), flight.number);
        }
        flight.decide(index, new Settlement.Dead(error, false, holds));
    }

    private void lineUp(Flight flight) {
        for (int i = 0; i < flight.events.size(); i++) {
            if (flight.isUnsent(i)) {
                Seat seat = new Seat(flight, i);
                if (!oneAtATime || turns.enter(seat)) {
                    ready.addLast(seat);
                }
            }
        }
    }

    /** Sends what is ready; what must go behind another is decided instead. */
    private void publishReady() {
        int most = oneAtATime ? ONE_AT_A_TIME_PUBLISH : Integer.MAX_VALUE;
        while (!ready.isEmpty() && surroundings.mayPublish()) {
            List<Seat> going = new ArrayList<>(Math.min(most, ready.size()));
            for (Seat seat = ready.poll(); seat != null; seat = going.size() < most ? ready.poll() : null) {
                if (goesBehind(seat)) {
                    seat.decide(Settlement.BEHIND);
                    leave(seat);
                } else {
                    going.add(seat);
                }
            }
            if (!going.isEmpty()) {
                outgoing.publish(going);
            }
        }
    }

    private boolean goesBehind(Seat seat) {
        return !closedKeys.isEmpty() && closedKeys.goesBehind(seat.orderKey(), seat.ordinal(), seat.flight().number);
    }

    private void leave(Seat seat) {
        if (oneAtATime) {
            Seat next = turns.leave(seat);
            if (next != null) {
                ready.addLast(next);
            }
        }
    }

    private void takeIn(Answer answer) {
        for (int i = 0; i < answer.seats().size(); i++) {
            Seat seat = answer.seats().get(i);
            Delivery delivery = answer.deliveries().get(i);
            seat.arrived(delivery);
            leave(seat);
            if (delivery instanceof Delivery.Unavailable away) {
                unavailable = away.error();
            } else if (outcomes.closesKey(delivery)) {
                closedKeys.close(seat.orderKey(), seat.ordinal(), seat.flight().number);
            }
        }
    }

    /** @return whether something of it comes again, and so do all batches claimed after it */
    private boolean settle(Flight flight) {
        List<Settlement> settlements = outcomes.settlements(flight, flightNumber + session.claimed());
        session.settle(flight.batch, settlements);
        bytesOut -= flight.bytes();
        closedKeys.settled(flight.number);
        throttle.inDoubt(Outcomes.inDoubt(settlements));
        surroundings.settled(settlements, flight.events);
        return settlements.contains(Settlement.RELEASED);
    }

    private Turn goneAway() {
        // Also when nothing is out: so the destination knows that the relay has seen it, and begins afresh.
        callBack.run();
        if (!hasNothingOut()) {
            return Turn.FULL;
        }
        String error = String.valueOf(unavailable);
        releaseRest();
        return new Turn.Unavailable(error);
    }

    /** Settles up to the first event that was not delivered; that one and the rest come again. */
    private void releaseRest() {
        boolean released = false;
        while (!flights.isEmpty() && !released) {
            released = settle(flights.removeFirst());
        }
        session.releaseAhead();
        flights.clear();
        turns.clear();
        ready.clear();
        bytesOut = 0;
        unavailable = null;
    }

    /** Calls back what is out, and sends nothing more until all of it is answered: it could overtake what comes again. */
    void callBack(String why) {
        unavailable = why;
        callBack.run();
    }

    /** What the destination has not answered, as of the last turn. */
    Outgoing.Unanswered unanswered() {
        return outgoing.unanswered();
    }

    private boolean hasNothingOut() {
        return flights.stream().allMatch(Flight::hasNothingOut);
    }

    /**
     * A turn of a relay that stops: takes in answers and sends nothing more.
     *
     * @return whether nothing is out any more, and all is settled or released
     */
    boolean wrapUp() {
        takeInAnswers();
        if (!hasNothingOut()) {
            return false;
        }
        releaseRest();
        return true;
    }
}
