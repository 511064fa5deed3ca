package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.RetryPolicy;
import dev.waybill.admin.RelayStatus;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultyCalls;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay on its own thread whose first call to the store fails, then its second, and so on: nothing is lost or stuck. */
@Timeout(300)
class EveryStoreCallFailsTest {
    private static final List<String> NAMES = List.of("a1", "b1", "a2", "c1", "b2", "a3");
    /** Far more calls than a run without a failure makes. */
    private static final int CALLS = 14;

    private final List<String> violations = new ArrayList<>();

    @Test
    void whichever_call_fails_the_relay_continues_and_nothing_is_lost() {
        int injected = 0;
        for (Failure how : List.of(Failure.BEFORE, Failure.REPLY_LOST, Failure.ERROR, Failure.ERROR_AFTER)) {
            for (int call = 1; call <= CALLS; call++) {
                injected += run(call, how) ? 1 : 0;
            }
        }
        System.out.println("EveryStoreCallFailsTest: every call of a running relay fails in turn: " + injected
                + " failures injected, " + violations.size() + " violations");
        assertThat(violations).as("violations of %d failures", injected).isEmpty();
    }

    private boolean run(int call, Failure how) {
        InMemoryOutbox outbox = new InMemoryOutbox();
        FaultyCalls calls = new FaultyCalls();
        InMemoryDestination broker = new InMemoryDestination();
        broker.failKey("Thing:a", 1, new Delivery.Retry("not now"));
        RelayOptions options = RelayOptions.defaults()
                .batch(new BatchSize(2, 1_000_000))
                .retry(new RetryPolicy(5, Duration.ofMillis(1), 1, Duration.ofMillis(1)));
        append(outbox);
        calls.faults().arm(call, how, () -> {});
        EventStore store = calls.faulty(EventStore.class, outbox.store());
        Relay relay = RelayScene.plan(store, broker).options(options).start();
        String where = "call " + call + ", " + how + ": ";
        try (relay) {
            Await.until(
                    where + "the fault has struck and everything is settled",
                    () -> calls.faults().struck() && isDone(outbox));
            if (!relay.isAlive()) {
                violations.add(where + "the relay's thread has ended");
            }
        } catch (AssertionError e) {
            violations.add(where + "stuck: " + e.getMessage());
        } finally {
            calls.faults().disarm();
        }
        List<String> firsts = List.copyOf(new LinkedHashSet<>(CycleScene.names(broker.delivered())));
        for (String key : List.of("a", "b", "c")) {
            List<String> came = ofKey(key, firsts);
            if (!came.equals(ofKey(key, NAMES))) {
                violations.add(where + "lost or out of order: " + came);
            }
        }
        return calls.faults().struck();
    }

    private static boolean isDone(InMemoryOutbox outbox) {
        List<RelayStatus> relays = outbox.admin().relays();
        return relays.size() == 1
                && relays.get(0).backlog() == 0
                && relays.get(0).parked() == 0
                && relays.get(0).dead() == 0;
    }

    private static List<String> ofKey(String key, List<String> names) {
        return names.stream().filter(name -> name.startsWith(key)).toList();
    }

    private static void append(InMemoryOutbox outbox) {
        Stream<Event> events = NAMES.stream().map(name -> CycleScene.event(name, "{}"));
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(transaction, events.toList());
            transaction.commit();
        }
    }
}
