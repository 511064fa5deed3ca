package dev.waybill.relay;

import dev.waybill.Event;
import dev.waybill.admin.RelayStatus;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Relays on their own threads between an outbox and a broker in memory. */
final class RelayScene implements AutoCloseable {
    /** The shortest allowed lease; a busy machine may fail to renew it. */
    static final Duration SHORT_LEASE = Duration.ofMillis(500);

    static final Duration LEASE = Duration.ofSeconds(2);

    private final InMemoryOutbox outbox = new InMemoryOutbox();
    private final FaultyStore store = new FaultyStore(outbox.store());
    private final InMemoryDestination broker = new InMemoryDestination();
    private final List<Relay> relays = new ArrayList<>();

    InMemoryOutbox outbox() {
        return outbox;
    }

    FaultyStore store() {
        return store;
    }

    InMemoryDestination broker() {
        return broker;
    }

    void append(String... names) {
        List<Event> events =
                Arrays.stream(names).map(name -> CycleScene.event(name, "{}")).toList();
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(transaction, events);
            transaction.commit();
        }
    }

    static RelayPlan plan(EventStore store, Destination destination) {
        return Relay.named(CycleScene.RELAY.value()).from(store).to(destination);
    }

    /** Calls of the application's code, by a relay that does not run. */
    static UserCalls calls(LongSupplier nanoTime) {
        RelayPlan plan = plan(new InMemoryOutbox().store(), new InMemoryDestination());
        return new UserCalls(plan, new RelayStatistics(), new FailureStreak(nanoTime), nanoTime);
    }

    Relay start() {
        return start(plan(store, broker));
    }

    Relay start(UnaryOperator<RelayOptions> change) {
        return start(plan(store, broker).options(change.apply(RelayOptions.defaults())));
    }

    Relay start(RelayPlan plan) {
        return start(plan, System::nanoTime);
    }

    Relay start(RelayPlan plan, LongSupplier nanoTime) {
        Relay relay = Relay.start(plan, nanoTime);
        relays.add(relay);
        return relay;
    }

    /** What has arrived, in order, repeats included. */
    List<String> delivered() {
        return CycleScene.names(broker.delivered());
    }

    List<String> firstDeliveries() {
        return List.copyOf(new LinkedHashSet<>(delivered()));
    }

    RelayStatus status() {
        return outbox.admin().relays().get(0);
    }

    void untilDelivered(String... names) {
        Await.until("delivered " + List.of(names), () -> delivered().containsAll(List.of(names)));
    }

    void untilSettled() {
        Await.until("everything is settled", () -> status().backlog() == 0 && status().parked() == 0);
    }

    static void until(Phase phase, Relay relay) {
        Await.until("the relay is " + phase, () -> relay.statistics().state().phase() == phase);
    }

    /** Closes the relay on a thread of its own, and waits until that thread waits. */
    static CompletableFuture<Void> beginToClose(Relay relay) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread closing = new Thread(
                () -> {
                    relay.close();
                    closed.complete(null);
                },
                "closing");
        closing.start();
        Await.until("closing waits", () -> closing.getState() == Thread.State.TIMED_WAITING || closed.isDone());
        return closed;
    }

    @Override
    public void close() {
        store.mend();
        broker.releaseAll();
        relays.forEach(Relay::close);
    }
}
