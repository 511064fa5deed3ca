package dev.waybill.tck;

import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One scenario in which one call fails, with the methods that scenarios use. An action that throws after the fault is
 * retried, as an application, a relay or an operator would; an exception without a fault is a violation.
 */
final class RunWithFault {
    static final RelayName REPLAY = new RelayName("again");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofHours(6);
    private static final int MOST_FAILURES = 6;
    private static final int MOST_ROUNDS = 20;
    /** How long a call hangs if another owner has to wait for the locks of the hanging transaction. */
    private static final long HANG_MILLIS = 200;

    private final StoreHarness harness;
    private final FaultInjection injection;
    private final Faults faults;
    private final EventBook book;
    private final DeliveryLog log = new DeliveryLog();
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
    private final FaultOperator operator;
    private FaultCourier courier;
    private DeliveryLog courierLog = log;
    private volatile Map<String, Settlement> script = Map.of();
    private volatile @Nullable Throwable takeoverFailure;
    private final Deque<Thread> takeovers = new ConcurrentLinkedDeque<>();
    /** Whether the scenario itself ended the lease. */
    private boolean leaseTaken;

    RunWithFault(StoreHarness harness, FaultInjection injection) {
        this.harness = harness;
        this.injection = injection;
        this.faults = injection.faults();
        this.book = new EventBook(harness::aggregateId);
        this.operator = new FaultOperator(this, harness, book, log);
        this.courier = courier("one");
    }

    /**
     * Runs the scenario.
     *
     * @return the violations found afterwards
     */
    List<String> play(FaultScenario scenario, int call, Failure how) {
        try {
            scenario.prepare(this);
            faults.arm(call, how, this::takeOver);
            scenario.play(this);
            finish();
            closeCourier();
        } catch (RuntimeException | AssertionError e) {
            violations.add("stuck: " + e.getMessage() + (e.getCause() == null ? "" : ": " + e.getCause()));
        } finally {
            faults.disarm();
        }
        try {
            // A failed close may not have saved the last position: the next session publishes these events again.
            drain();
            closeCourier();
        } catch (RuntimeException | AssertionError e) {
            violations.add("stuck: " + e.getMessage());
        }
        judge();
        return violations;
    }

    void append(String... names) {
        boolean[] again = {false};
        insist("an append", () -> {
            StoreHarness.Tx tx = harness.begin();
            try {
                Event[] events = book.events(names);
                if (again[0]) {
                    tx.appendIfAbsent(events);
                } else {
                    again[0] = true;
                    tx.append(events);
                }
                tx.commit();
            } catch (RuntimeException | Error e) {
                tx.rollback();
                throw e;
            }
        });
        log.committed(names);
    }

    /** Appends in a transaction that stays open. */
    LateTransaction begin(String... names) {
        return new LateTransaction(this, harness, log, book.events(names), names);
    }

    void appendAndRollBack(String... names) {
        insist("a rollback", () -> {
            StoreHarness.Tx tx = harness.begin();
            try {
                tx.appendIfAbsent(book.events(names));
            } finally {
                tx.rollback();
            }
        });
    }

    /** Advances the clock until every retry is due. */
    void passLong() {
        harness.clock().advance(LONG);
    }

    /** Advances the clock until the next save of the position is due. */
    void passShort() {
        harness.clock().advance(Duration.ofSeconds(1));
    }

    /** From now on these events fail, whichever owner sends them. */
    void brokerAnswers(Map<String, Settlement> failing) {
        script = failing;
    }

    void brokerTakesAll() {
        script = Map.of();
    }

    void drain() {
        insist("draining", () -> courier.drain(script));
    }

    /** Claims and publishes without settling. */
    void claimOnly() {
        insist("claiming", () -> courier.claim(script));
    }

    /** The courier's lease is valid. */
    void keepLease() {
        courier.requireLease();
    }

    /** Processes one batch without claiming another. */
    void sendOne() {
        insist("sending a batch", () -> courier.sendOne(script));
    }

    /** Another owner takes over while this one has batches in flight; this one notices only when it settles. */
    void loseLease() {
        leaseTaken = true;
        takeOver();
        joinTakeover();
    }

    Settlement retry(boolean counted) {
        return new Settlement.RetryAt(harness.clock().instant().plus(LONG), "not now", counted);
    }

    static Settlement dead(boolean holding) {
        return new Settlement.Dead("never", true, holding);
    }

    /** From now on the courier runs the replay. */
    DeliveryLog sendReplay() {
        closeCourier();
        DeliveryLog replayed = new DeliveryLog();
        courierLog = replayed;
        courier = courier("one");
        return replayed;
    }

    void sendRelayAgain() {
        closeCourier();
        courierLog = log;
        courier = courier("one");
    }

    private FaultCourier courier(String owner) {
        return new FaultCourier(relay(), () -> open(new OwnerId(owner)), book, courierLog);
    }

    /** Waits until the lease is free: a session whose close failed may still hold it. */
    private Optional<RelaySession> open(OwnerId owner) {
        RelayName relay = relay();
        EventStore store = courierLog == log ? harness.store() : replays().store();
        Optional<RelaySession> opened = store.open(relay, owner, LEASE);
        if (opened.isPresent()) {
            return opened;
        }
        harness.expireLease(relay);
        return store.open(relay, owner, LEASE);
    }

    /** Closes the session normally; the next step opens another. */
    void closeCourier() {
        insist("closing", courier::close);
    }

    ReplayAdmin replays() {
        return ((ReplayHarness) harness).replays();
    }

    FaultOperator operator() {
        return operator;
    }

    private RelayName relay() {
        return courierLog == log ? StoreFixture.RELAY : REPLAY;
    }

    boolean struck() {
        return faults.struck();
    }

    /** Number of distinct events sent by the courier or another owner. */
    int arrivals() {
        return courierLog.arrivals();
    }

    void expect(boolean holds, String otherwise) {
        if (!holds) {
            violations.add(otherwise);
        }
    }

    /** @param followers events that wait behind the heads of their keys, in a store that keeps order */
    void expectParked(int heads, int followers, int dead) {
        int parked = heads + (ordered() ? followers : 0);
        RelayStatus status = status();
        expect(
                status.parked() == parked && status.dead() == dead,
                "counts: parked " + status.parked() + " and dead " + status.dead() + " instead of " + parked + " and "
                        + dead);
    }

    void expectArrived(String... names) {
        List<String> missing = courierLog.missing(names);
        expect(missing.isEmpty(), "stuck: not delivered are " + missing);
    }

    boolean ordered() {
        return harness.ordered();
    }

    void expectAttempts(String name, int attempts) {
        List<ParkedEvent> found = parked().stream()
                .filter(one -> one.eventId().equals(book.id(name)))
                .toList();
        expect(
                found.size() == 1 && found.get(0).attempts() == attempts,
                "counts: " + name + " is not parked once with " + attempts + " attempts: " + found);
    }

    private RelayStatus status() {
        return look(() -> harness.admin().relays().stream()
                .filter(one -> one.name().equals(StoreFixture.RELAY.value()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The store does not know its relay.")));
    }

    private List<ParkedEvent> parked() {
        return look(() -> harness.admin().parked(ParkedQuery.of(StoreFixture.RELAY)));
    }

    /** Reads for the final checks do not fail. */
    <T> T look(Supplier<T> work) {
        joinTakeover();
        return faults.without(work);
    }

    /** Continues until nothing is left; dead events are requeued. */
    private void finish() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            drain();
            List<ParkedEvent> left = parked();
            if (left.isEmpty()) {
                return;
            }
            left.stream()
                    .filter(one -> one.state() == ParkedState.DEAD)
                    .forEach(one -> operator.requeue(book.name(one.eventId())));
            passLong();
        }
        violations.add("stuck: still parked are " + parked());
    }

    private void judge() {
        joinTakeover();
        violations.addAll(log.violations(ordered()));
        RelayStatus status = status();
        expect(
                status.backlog() == 0 && status.parked() == 0 && status.dead() == 0,
                "counts: at the end the backlog is " + status.backlog() + ", parked are " + status.parked()
                        + ", dead are " + status.dead());
        if (injection.openConnections() != 0) {
            violations.add("connections left open: " + injection.openConnections());
        }
    }

    /** Performs the action, and retries it after the fault. */
    void insist(String what, Runnable work) {
        joinTakeover();
        Throwable last = null;
        for (int attempt = 0; attempt < MOST_FAILURES; attempt++) {
            try {
                work.run();
                return;
            } catch (AssertionError e) {
                throw e;
            } catch (RuntimeException | Error e) {
                if (!faults.struck() && !(leaseTaken && e instanceof LeaseLostException)) {
                    throw new AssertionError(what + " failed without a fault", e);
                }
                last = e;
                close(courier);
                joinTakeover();
                if (!ordered()) {
                    // Its rows may be leased to the failed session until that lease has expired.
                    harness.expireLease(relay());
                }
            }
        }
        throw new AssertionError(what + " fails again and again after the fault", last);
    }

    private void close(FaultCourier failed) {
        try {
            failed.close();
        } catch (RuntimeException | Error e) {
            // A relay continues after this too.
            expect(!(e instanceof AssertionError), String.valueOf(e.getMessage()));
        }
    }

    /** While a call hangs, the lease ends and another owner takes over. */
    private void takeOver() {
        FaultCourier hanging = courier;
        Thread other = new Thread(this::workAsAnother, "takeover");
        takeovers.add(other);
        other.start();
        hanging.leaseEnds();
        try {
            other.join(HANG_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void workAsAnother() {
        harness.expireLease(relay());
        for (int attempt = 0; attempt < MOST_FAILURES; attempt++) {
            FaultCourier two = courier("two");
            try {
                two.drain(script);
                two.close();
                return;
            } catch (StoreRefusedException | LeaseLostException e) {
                // The replay does not exist yet, or a third owner has taken over.
                close(two);
                return;
            } catch (RuntimeException | Error e) {
                takeoverFailure = e;
                close(two);
            }
        }
        violations.add("stuck: the owner that took over fails again and again: " + takeoverFailure);
    }

    private void joinTakeover() {
        for (Thread other = takeovers.poll(); other != null; other = takeovers.poll()) {
            try {
                other.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
