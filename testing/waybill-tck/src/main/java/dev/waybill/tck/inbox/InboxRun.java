package dev.waybill.tck.inbox;

import dev.waybill.EventIds;
import dev.waybill.Inbox.Outcome;
import dev.waybill.InboxBusyException;
import dev.waybill.Incoming;
import dev.waybill.PurgeableInbox;
import dev.waybill.admin.PurgeStep;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.Faults;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One scenario in which one call fails, with the methods that scenarios use. A delivery that throws is repeated, as a
 * broker would, until the consumer can acknowledge it.
 */
final class InboxRun<T> {
    private static final String ENTITY = "Order:7";
    private static final int MOST_DELIVERIES = 8;
    /** A transaction whose client gave it up may go on for a while; until it ends, others conflict with it. */
    private static final Duration CONFLICTS = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);
    /** How long a call hangs if another consumer has to wait for the locks of the hanging transaction. */
    private static final long HANG_MILLIS = 50;

    private final InboxFaultHarness<T> harness;
    private final Faults faults;
    /** Also used by the other consumer. */
    private final Map<String, String> ids = new ConcurrentHashMap<>();

    private final Map<String, Integer> expected = Collections.synchronizedMap(new HashMap<>());
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
    private String consumer = InboxContract.CONSUMER;
    private Failure how = Failure.BEFORE;
    private volatile @Nullable Delivery current;
    private @Nullable Thread other;

    /** An action that is repeated until it succeeds, and then acknowledged. */
    private interface Delivery {
        void attempt() throws Exception;
    }

    InboxRun(InboxFaultHarness<T> harness) {
        this.harness = harness;
        this.faults = harness.faults().faults();
    }

    /**
     * Runs the scenario.
     *
     * @return the violations found afterwards
     */
    List<String> play(InboxScenario scenario, int call, Failure failure) {
        try {
            scenario.prepare(this);
            how = failure;
            faults.arm(call, failure, this::deliverBeside);
            scenario.play(this);
        } catch (AssertionError e) {
            violations.add("stuck: " + e.getMessage() + (e.getCause() == null ? "" : ": " + e.getCause()));
        } finally {
            faults.disarm();
        }
        joinOther();
        judge();
        return violations;
    }

    // ---- deliveries

    InboxRun<T> as(String name) {
        consumer = name;
        return this;
    }

    void deliver(String name) {
        deliver(name, incoming(name));
        acknowledged(name);
    }

    void deliverVersion(String name, long version) {
        deliver(name, incoming(name).ofEntity(ENTITY, version));
        acknowledged(name);
    }

    /** Delivers an event that is recorded but has no effect. */
    void deliverStale(String name, long version) {
        expected.put(effect(name), 0);
        deliver(name, incoming(name).ofEntity(ENTITY, version));
    }

    private void deliver(String name, Incoming event) {
        String as = consumer;
        insist(
                name,
                () -> harness.transactions()
                        .call(open -> harness.inbox().handleOnce(open, as, event, handling -> apply(handling, name))));
    }

    /** Delivers an event whose handler first throws after half of its effect. */
    void deliverFailingOnce(String name, Throwable failure) {
        Incoming event = incoming(name);
        boolean[] failed = {false};
        insist(
                name,
                () -> harness.transactions()
                        .call(open -> harness.inbox().handleOnce(open, InboxContract.CONSUMER, event, handling -> {
                            if (!failed[0]) {
                                failed[0] = true;
                                harness.leaveEffect(handling, effect(name) + ".1");
                                throwIt(failure);
                            }
                            apply(handling, name);
                        })));
        acknowledged(name);
    }

    private static void throwIt(Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }

    void deliverAll(List<String> names) {
        insist(names.toString(), () -> {
            List<Outcome> outcomes = harness.transactions()
                    .call(open -> harness.inbox()
                            .handleAll(open, InboxContract.CONSUMER, names, this::incoming, this::apply));
            if (outcomes.size() != names.size()) {
                violations.add("outcomes: " + outcomes.size() + " of " + names.size());
            }
        });
        names.forEach(this::acknowledged);
    }

    /** Makes an effect in two steps, so that half of it can be observed. */
    private void apply(T transaction, String name) throws Exception {
        harness.leaveEffect(transaction, effect(name) + ".1");
        harness.leaveEffect(transaction, effect(name) + ".2");
    }

    void makeOld() {
        harness.makeOld();
    }

    /** Purges in steps until no old entry of this consumer is left. */
    void purge(int old, int atMost) {
        PurgeableInbox<T> inbox = (PurgeableInbox<T>) harness.inbox();
        String as = consumer;
        int[] deleted = {0};
        boolean[] more = {true};
        while (more[0]) {
            insist("purge", () -> {
                PurgeStep step =
                        harness.transactions().call(open -> inbox.purge(open, as, inbox.replayWindow(), atMost));
                deleted[0] += step.deleted();
                more[0] = step.more();
            });
        }
        // A step whose reply was lost is not counted, although it took effect.
        if (deleted[0] > old || (!faults.struck() && deleted[0] != old)) {
            violations.add("purged " + deleted[0] + " of " + old);
        }
    }

    private Incoming incoming(String name) {
        return Incoming.event(ids.computeIfAbsent(name, unknown -> EventIds.next()));
    }

    private String effect(String name) {
        return consumer + "." + name;
    }

    /** Acknowledges the event: the broker does not deliver it again, so its effect must be durable. */
    private void acknowledged(String name) {
        String effect = effect(name);
        expected.put(effect, 1);
        if (look(effect + ".1") == 0 || look(effect + ".2") == 0) {
            violations.add("acknowledged without a durable effect: " + effect);
        }
    }

    private int look(String effect) {
        return faults.without(() -> harness.effects(effect));
    }

    // ---- the fault

    private void insist(String what, Delivery delivery) {
        joinOther();
        current = delivery;
        Throwable last = null;
        long patientUntil = System.nanoTime() + CONFLICTS.toNanos();
        int attempts = 0;
        while (attempts < MOST_DELIVERIES) {
            try {
                delivery.attempt();
                return;
            } catch (Exception | Error e) {
                requireToBeBlameless(what, e);
                last = e;
                if (e instanceof TransactionConflictException && System.nanoTime() - patientUntil < 0) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                } else {
                    attempts++;
                }
            }
        }
        throw new AssertionError(what + " fails again and again", last);
    }

    /** A failure of the database or of Redis must not count as an attempt. */
    private void requireToBeBlameless(String what, Throwable thrown) {
        if (thrown instanceof InboxBusyException) {
            harness.giveUpTheDead();
            return;
        }
        boolean scripted = thrown instanceof IOException || thrown instanceof OutOfMemoryError;
        if (!scripted && !faults.struck()) {
            throw new AssertionError(what + " failed without a fault", thrown);
        }
        if (!scripted && FailureKind.of(thrown) == FailureKind.FAILED) {
            violations.add("a fault (" + how + ") is counted against " + what + ": " + thrown);
        }
    }

    /** While a call of this consumer hangs, another one handles the same event or does the same work. */
    private void deliverBeside() {
        Delivery same = current;
        if (same == null) {
            return;
        }
        Thread beside = new Thread(() -> attemptBeside(same), "beside");
        other = beside;
        beside.start();
        join(beside, HANG_MILLIS);
    }

    private void attemptBeside(Delivery delivery) {
        try {
            delivery.attempt();
        } catch (Exception | Error e) {
            boolean scripted = e instanceof IOException || e instanceof OutOfMemoryError;
            if (!scripted && FailureKind.of(e) == FailureKind.FAILED) {
                violations.add("the other consumer failed: " + e);
            }
        }
    }

    private void joinOther() {
        Thread beside = other;
        other = null;
        if (beside != null) {
            join(beside, 0);
        }
    }

    private static void join(Thread thread, long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- checks

    private void judge() {
        expected.forEach((effect, times) -> {
            int first = harness.effects(effect + ".1");
            int second = harness.effects(effect + ".2");
            if (harness.keepsEffectsTogether() && first != second) {
                violations.add("half an effect: " + effect + " " + first + " and " + second);
            }
            if (second < times || first < times) {
                violations.add("lost: " + effect);
            }
            if (second > times) {
                violations.add(second + " effects of " + effect);
            }
        });
        if (harness.faults().openConnections() != 0) {
            violations.add("connections left open: " + harness.faults().openConnections());
        }
        violations.addAll(harness.leftovers());
    }
}
