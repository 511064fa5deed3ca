package dev.waybill.tck;

import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One owner that follows the rules of a relay: it has several batches in flight, settles them in order, parks followers
 * behind a failed event of their key, publishes nothing once its lease has ended, and after an exception closes its
 * session and opens another.
 */
final class FaultCourier {
    private static final Limits FEW = new Limits(2, 1_000_000);
    private static final int MOST_OUT = 3;
    private static final int MOST_ROUNDS = 500;

    private final RelayName relay;
    private final Supplier<Optional<RelaySession>> opening;
    private final EventBook book;
    private final DeliveryLog log;
    private final Deque<Out> out = new ArrayDeque<>();
    /** The last batch for which this courier keeps a key closed; for later ones the store does. */
    private final Map<Utf8, Integer> closedUpTo = new HashMap<>();

    private @Nullable RelaySession session;
    private int claimed;
    private boolean away;
    private volatile boolean leaseEnded;

    private record Out(Batch batch, List<Settlement> settlements) {}

    FaultCourier(RelayName relay, Supplier<Optional<RelaySession>> opening, EventBook book, DeliveryLog log) {
        this.relay = relay;
        this.opening = opening;
        this.book = book;
        this.log = log;
    }

    /** Ends the lease by the courier's own clock. */
    void leaseEnds() {
        leaseEnded = session != null;
    }

    /** Settles until the store has no more events, with the outcomes that the script names; others are published. */
    void drain(Map<String, Settlement> script) {
        requireLease();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            claim(script);
            if (leaseEnded) {
                stopAfterLease();
            }
            if (out.isEmpty()) {
                return;
            }
            settleOldest();
        }
        throw new AssertionError("The store still gives batches after " + MOST_ROUNDS + " rounds.");
    }

    /** Claims one batch if none is in flight, and settles the oldest. */
    void sendOne(Map<String, Settlement> script) {
        claim(script, 1);
        if (leaseEnded) {
            stopAfterLease();
        }
        if (!out.isEmpty()) {
            settleOldest();
        }
    }

    /** Opens a session if there is none, and renews its lease. */
    void requireLease() {
        if (!session().renew()) {
            throw new LeaseLostException(relay, session().epoch());
        }
    }

    private RelaySession session() {
        RelaySession current = session;
        if (current == null) {
            current = opening.get()
                    .orElseThrow(() -> new IllegalStateException("Another owner holds the lease of " + relay + "."));
            session = current;
            leaseEnded = false;
        }
        return current;
    }

    /** Claims events and publishes them. */
    void claim(Map<String, Settlement> script) {
        claim(script, MOST_OUT);
    }

    private void claim(Map<String, Settlement> script, int mostOut) {
        while (out.size() < mostOut && !away && !leaseEnded) {
            Optional<Batch> batch = session().claim(FEW);
            if (batch.isEmpty() || leaseEnded) {
                return;
            }
            out.add(publish(batch.get(), script));
        }
    }

    private Out publish(Batch batch, Map<String, Settlement> script) {
        claimed++;
        List<Settlement> settlements = new ArrayList<>();
        for (StoredEvent event : batch.events()) {
            String name = book.name(event);
            Settlement settlement = away ? Settlement.RELEASED : outcome(event, name, script);
            if (closesKey(settlement)) {
                closedUpTo.put(event.orderKey(), Integer.MAX_VALUE);
            }
            if (settlement instanceof Settlement.Published) {
                log.arrived(name);
            } else if (settlement instanceof Settlement.Dead dead && !dead.holdsKey()) {
                log.passed(name);
            }
            settlements.add(settlement);
        }
        return new Out(batch, settlements);
    }

    private Settlement outcome(StoredEvent event, String name, Map<String, Settlement> script) {
        if (closedUpTo.getOrDefault(event.orderKey(), 0) >= claimed) {
            return Settlement.BEHIND;
        }
        Settlement scripted = script.getOrDefault(name, Settlement.PUBLISHED);
        if (scripted instanceof Settlement.Released) {
            away = log.releasedFirst(name);
            return away ? scripted : Settlement.PUBLISHED;
        }
        return scripted;
    }

    private static boolean closesKey(Settlement settlement) {
        return settlement instanceof Settlement.RetryAt
                || settlement instanceof Settlement.Behind
                || (settlement instanceof Settlement.Dead dead && dead.holdsKey());
    }

    private void settleOldest() {
        Out oldest = out.remove();
        settle(oldest);
        for (int i = 0; i < oldest.settlements.size(); i++) {
            if (closesKey(oldest.settlements.get(i))) {
                closedUpTo.put(oldest.batch.events().get(i).orderKey(), claimed);
            }
        }
        if (oldest.settlements.contains(Settlement.RELEASED)) {
            out.clear();
            away = false;
        }
    }

    /** As a relay does, published batches of a backlog beside claims if the session allows that. */
    private void settle(Out oldest) {
        Optional<RelaySession.BesideClaims> beside = session().besideClaims();
        boolean published = oldest.settlements.stream().allMatch(Settlement.Published.class::isInstance);
        if (beside.isPresent() && published && !out.isEmpty()) {
            beside.get().published(oldest.batch);
        } else {
            session().settle(oldest.batch, oldest.settlements);
        }
    }

    /** Settles events as a relay that was suspended past its lease; the store must refuse. */
    private void stopAfterLease() {
        while (!out.isEmpty()) {
            settleOldest();
        }
        throw new LeaseLostException(relay, session().epoch());
    }

    /** Ends the session as after a failure: events in flight are forgotten. */
    void close() {
        RelaySession current = session;
        session = null;
        out.clear();
        closedUpTo.clear();
        away = false;
        leaseEnded = false;
        if (current != null) {
            current.close();
        }
    }
}
