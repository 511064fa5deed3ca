package dev.waybill.relay;

import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What becomes of each event of a flight, by what the destination said and which keys are closed. One thread. */
final class Outcomes {
    private final RelayOptions options;
    private final InstantSource clock;
    private final ClosedKeys closedKeys;
    private final InDoubtKeys inDoubt;

    Outcomes(RelayPlan plan, InstantSource clock, ClosedKeys closedKeys) {
        this.options = plan.options();
        this.clock = clock;
        this.closedKeys = closedKeys;
        this.inDoubt = new InDoubtKeys(plan.name(), clock);
    }

    /**
     * A Retry closes its key even when it was the last: what passes it must not be out before its death is saved.
     */
    boolean closesKey(Delivery delivery) {
        return delivery instanceof Delivery.Retry
                || delivery instanceof Delivery.InDoubt
                || delivery instanceof Delivery.Behind
                || (delivery instanceof Delivery.Refused && options.onDead() == OnDead.HOLD);
    }

    /**
     * The settlements of a flight in claim order. From the first released one on all are released, whatever became of them: a
     * store that knows one place settles only what lies before it, and the rest comes again.
     *
     * @param newestClaimed the newest flight there is; the store knows about closed keys from the one after it on
     */
    List<Settlement> settlements(Flight flight, long newestClaimed) {
        if (inDoubt.isEmpty() && flight.isAllDelivered()) {
            return Collections.nCopies(flight.events.size(), Settlement.PUBLISHED);
        }
        List<Settlement> settlements = new ArrayList<>(flight.events.size());
        for (int i = 0; i < flight.events.size(); i++) {
            Settlement settlement = settlement(flight, i);
            if (settlement instanceof Settlement.Released) {
                break;
            }
            if (closesKeyInStore(settlement)) {
                closedKeys.handOver(flight.orderKey(i), flight.ordinal(i), newestClaimed);
            }
            settlements.add(settlement);
        }
        forgetTheDead(flight, settlements);
        inDoubt.tellChanges();
        settlements.addAll(Collections.nCopies(flight.events.size() - settlements.size(), Settlement.RELEASED));
        return settlements;
    }

    /** How many are to be sent again for no fault of theirs. */
    static int inDoubt(List<Settlement> settlements) {
        int count = 0;
        for (Settlement settlement : settlements) {
            if (settlement instanceof Settlement.RetryAt retry && !retry.counted()) {
                count++;
            }
        }
        return count;
    }

    private static boolean closesKeyInStore(Settlement settlement) {
        return settlement instanceof Settlement.RetryAt
                || settlement instanceof Settlement.Behind
                || (settlement instanceof Settlement.Dead dead && dead.holdsKey());
    }

    /** Only after the whole flight: one that went behind the dead may be in it. */
    private void forgetTheDead(Flight flight, List<Settlement> settlements) {
        for (int i = 0; i < settlements.size() && !closedKeys.isEmpty(); i++) {
            if (settlements.get(i) instanceof Settlement.Dead dead && !dead.holdsKey()) {
                closedKeys.died(flight.orderKey(i), flight.ordinal(i));
            }
        }
    }

    private Settlement settlement(Flight flight, int index) {
        Settlement decided = flight.decided(index);
        if (decided != null) {
            return decided;
        }
        Delivery delivery = flight.delivery(index);
        if (delivery == null) {
            return Settlement.RELEASED;
        }
        return switch (delivery.kind()) {
            case UNAVAILABLE -> Settlement.RELEASED;
            case BEHIND -> Settlement.BEHIND;
            case IN_DOUBT -> inDoubt(flight, index, delivery.error());
            case REFUSED -> {
                answered(flight, index);
                yield dead(delivery.error());
            }
            case RETRY -> {
                answered(flight, index);
                yield failed(flight, index, delivery.error());
            }
            case DELIVERED -> {
                answered(flight, index);
                yield Settlement.PUBLISHED;
            }
        };
    }

    private Settlement inDoubt(Flight flight, int index, String error) {
        return isBehind(flight, index)
                ? Settlement.BEHIND
                : new Settlement.RetryAt(inDoubt.inDoubt(flight.orderKey(index), error), error, false);
    }

    private void answered(Flight flight, int index) {
        if (!inDoubt.isEmpty()) {
            inDoubt.answered(flight.orderKey(index));
        }
    }

    private Settlement failed(Flight flight, int index, String error) {
        if (isBehind(flight, index)) {
            return Settlement.BEHIND;
        }
        StoredEvent event = flight.events.get(index);
        Optional<Duration> wait = options.retry().afterAttempt(event.attempts() + 1);
        return wait.isPresent() ? new Settlement.RetryAt(clock.instant().plus(wait.get()), error) : dead(error);
    }

    private Settlement dead(String error) {
        return new Settlement.Dead(error, true, options.onDead() == OnDead.HOLD);
    }

    private boolean isBehind(Flight flight, int index) {
        return closedKeys.isClosedFor(flight.orderKey(index), flight.ordinal(index), flight.number);
    }
}
