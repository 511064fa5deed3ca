package dev.waybill.relay;

import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Determines the settlement of each event from the destination's answer and the closed keys. One thread. */
final class Outcomes {
    private final RelayOptions options;
    private final InstantSource clock;
    private final ClosedKeys closedKeys;
    private final InDoubtKeys inDoubt;
    private Instant now = Instant.EPOCH;

    Outcomes(RelayPlan plan, InstantSource clock, ClosedKeys closedKeys) {
        this.options = plan.options();
        this.clock = clock;
        this.closedKeys = closedKeys;
        this.inDoubt = new InDoubtKeys(plan.name(), clock);
    }

    /** A Retry closes its key even after the last attempt: no later event may be sent before the store has recorded it as dead. */
    boolean closesKey(Delivery delivery) {
        return delivery instanceof Delivery.Retry
                || delivery instanceof Delivery.InDoubt
                || delivery instanceof Delivery.Behind
                || (delivery instanceof Delivery.Unavailable && options.countOutages())
                || (delivery instanceof Delivery.Refused && options.onDead() == OnDead.HOLD);
    }

    /**
     * The settlements of a batch in claim order. From the first released event on, all are released, whatever the destination
     * answered: a store with one position can only record the events before it, and the others are sent again.
     *
     * @param newestClaimed number of the newest claimed batch; for later ones the store handles the closed keys
     * @param countOutages whether an outage counts as a failed attempt of the events that were sent: then they are retried or dead
     *     as after any other failure, and all later events of their keys wait behind them, even delivered ones
     */
    List<Settlement> settlements(ClaimedBatch batch, long newestClaimed, boolean countOutages) {
        boolean behindOutages = countOutages && !closedKeys.isEmpty();
        if (!behindOutages && isPublished(batch)) {
            return Collections.nCopies(batch.events.size(), Settlement.PUBLISHED);
        }
        // One time for all, so that a store can write the same outcome of many events at once.
        now = clock.instant();
        List<Settlement> settlements = new ArrayList<>(batch.events.size());
        for (int i = 0; i < batch.events.size(); i++) {
            Settlement settlement =
                    behindOutages && isSentBehind(batch, i) ? Settlement.BEHIND : settlement(batch, i, countOutages);
            if (settlement instanceof Settlement.Released) {
                break;
            }
            if (Settlement.closesKey(settlement)) {
                closedKeys.handOver(batch.orderKey(i), batch.ordinal(i), newestClaimed);
            }
            settlements.add(settlement);
        }
        forgetTheDead(batch, settlements);
        inDoubt.tellChanges();
        settlements.addAll(Collections.nCopies(batch.events.size() - settlements.size(), Settlement.RELEASED));
        return settlements;
    }

    /** Whether all its events are published, and no key is in doubt. */
    boolean isPublished(ClaimedBatch batch) {
        return inDoubt.isEmpty() && batch.isAllDelivered();
    }

    /** Number of events that are retried without counting an attempt. */
    static int inDoubt(List<Settlement> settlements) {
        int count = 0;
        for (Settlement settlement : settlements) {
            if (settlement instanceof Settlement.RetryAt retry && !retry.counted()) {
                count++;
            }
        }
        return count;
    }

    /** Whether it proves that the destination is available. An event that was not sent, or met an outage, does not. */
    static boolean isProgress(ClaimedBatch batch, List<Settlement> settlements) {
        for (int i = 0; i < settlements.size(); i++) {
            if (isProgress(settlements.get(i)) && !batch.isOutage(i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isProgress(Settlement settlement) {
        return settlement instanceof Settlement.Published
                || (settlement instanceof Settlement.RetryAt retry && retry.counted())
                || (settlement instanceof Settlement.Dead dead && dead.sent());
    }

    /** After the whole batch, because it may contain events behind the dead one. */
    private void forgetTheDead(ClaimedBatch batch, List<Settlement> settlements) {
        for (int i = 0; i < settlements.size() && !closedKeys.isEmpty(); i++) {
            if (settlements.get(i) instanceof Settlement.Dead dead && !dead.holdsKey()) {
                closedKeys.died(batch.orderKey(i), batch.ordinal(i));
            }
        }
    }

    /** Whether it was to be sent, and an earlier event of its key waits. */
    private boolean isSentBehind(ClaimedBatch batch, int index) {
        return batch.decided(index) == null && isBehind(batch, index);
    }

    private Settlement settlement(ClaimedBatch batch, int index, boolean countOutages) {
        Settlement decided = batch.decided(index);
        if (decided != null) {
            return decided;
        }
        Delivery delivery = batch.delivery(index);
        if (delivery == null) {
            return Settlement.RELEASED;
        }
        return switch (delivery.kind()) {
            case UNAVAILABLE -> countOutages ? failed(batch, index, delivery.error()) : Settlement.RELEASED;
            case BEHIND -> Settlement.BEHIND;
            case IN_DOUBT ->
                countOutages ? failed(batch, index, delivery.error()) : inDoubt(batch, index, delivery.error());
            case REFUSED -> {
                answered(batch, index);
                yield dead(delivery.error());
            }
            case RETRY -> {
                answered(batch, index);
                yield failed(batch, index, delivery.error());
            }
            case DELIVERED -> {
                answered(batch, index);
                yield Settlement.PUBLISHED;
            }
        };
    }

    private Settlement inDoubt(ClaimedBatch batch, int index, String error) {
        return isBehind(batch, index)
                ? Settlement.BEHIND
                : new Settlement.RetryAt(inDoubt.inDoubt(batch.orderKey(index), error), error, false);
    }

    private void answered(ClaimedBatch batch, int index) {
        if (!inDoubt.isEmpty()) {
            inDoubt.answered(batch.orderKey(index));
        }
    }

    private Settlement failed(ClaimedBatch batch, int index, String error) {
        if (isBehind(batch, index)) {
            return Settlement.BEHIND;
        }
        StoredEvent event = batch.events.get(index);
        int attempts = event.attempts() + 1;
        Optional<Duration> wait =
                attempts < event.maxAttempts() ? options.retry().afterAttempt(attempts) : Optional.empty();
        return wait.isPresent() ? new Settlement.RetryAt(now.plus(wait.get()), error) : dead(error);
    }

    private Settlement dead(String error) {
        return new Settlement.Dead(error, true, options.onDead() == OnDead.HOLD);
    }

    private boolean isBehind(ClaimedBatch batch, int index) {
        return closedKeys.isClosedFor(batch.orderKey(index), batch.ordinal(index), batch.number);
    }
}
