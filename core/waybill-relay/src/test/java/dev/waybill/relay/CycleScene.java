package dev.waybill.relay;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.Selection;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * An outbox, a destination and a cycle between them that the test runs step by step. The id of an event is its name, and the
 * letters of the name are its key: {@code a1} and {@code a2} have the same key.
 */
final class CycleScene extends SteppedCycle {
    static final RelayName RELAY = new RelayName("relay");
    static final Actor ANNA = new Actor("anna", "a test");
    private static final OwnerId OWNER = new OwnerId("one");

    private final InMemoryOutbox outbox = new InMemoryOutbox(clock());
    private final List<Settled> settled = new ArrayList<>();
    private RelayPlan plan;
    private RelaySession session;
    private RelayCycle cycle;
    private Executor settler = Runnable::run;

    record Settled(String event, Settlement as) {}

    CycleScene(Destination destination) {
        plan = Relay.named(RELAY.value()).from(outbox.store()).to(destination);
    }

    // ---- the plan

    CycleScene options(UnaryOperator<RelayOptions> change) {
        plan = plan.options(change.apply(plan.options()));
        return this;
    }

    CycleScene batchesOf(int events) {
        return options(options -> options.batch(new BatchSize(events, 1_000_000)));
    }

    CycleScene inFlight(int batches, long bytes) {
        return options(options -> options.inFlight(new InFlight(batches, bytes)));
    }

    CycleScene onDead(OnDead onDead) {
        return options(options -> options.onDead(onDead));
    }

    CycleScene plan(UnaryOperator<RelayPlan> change) {
        plan = change.apply(plan);
        return this;
    }

    CycleScene route(Route route) {
        return plan(before -> before.route(route));
    }

    /** Runs the settlements that need not be waited for. */
    CycleScene settling(Executor later) {
        settler = later;
        return this;
    }

    // ---- the application and the operators

    /** In one transaction. */
    void append(String... names) {
        append(Arrays.stream(names).map(name -> event(name, "{}")).toList());
    }

    void append(List<Event> events) {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(transaction, events);
            transaction.commit();
        }
    }

    static Event event(String name, String json) {
        return Event.of("thing.happened")
                .aggregate("Thing", keyOf(name))
                .payload(Payload.json(json))
                .id(name);
    }

    static String keyOf(String name) {
        return name.replaceAll("[^a-z]", "");
    }

    InMemoryOutbox outbox() {
        return outbox;
    }

    int requeue(String... names) {
        return outbox.admin().requeue(RELAY, Selection.of(names), ANNA);
    }

    RelayStatus status() {
        return outbox.admin().relays().get(0);
    }

    List<ParkedEvent> parked() {
        return outbox.admin().parked(ParkedQuery.of(RELAY).atMost(10_000));
    }

    ParkedEvent parked(String name) {
        return parked().stream()
                .filter(parked -> parked.eventId().equals(name))
                .findAny()
                .orElseThrow(() -> new AssertionError(name + " is not parked; these are: " + parked()));
    }

    List<String> dead() {
        return parked().stream()
                .filter(parked -> parked.state() == ParkedState.DEAD)
                .map(ParkedEvent::eventId)
                .toList();
    }

    // ---- the relay

    @Override
    RelayCycle cycle() {
        if (cycle == null) {
            session = outbox.store()
                    .open(RELAY, OWNER, Duration.ofMinutes(1))
                    .orElseThrow(() -> new AssertionError("The lease is taken."));
            cycle = new RelayCycle(
                    new ClaimAhead(session, Runnable::run, settler), plan, clock(), new Settling(), this::nanoTime);
        }
        return cycle;
    }

    /** The process crashes, and another takes over. */
    void crash() {
        cycle = null;
    }

    /** The session ends as after a stop. */
    void close() {
        session.close();
        cycle = null;
    }

    // ---- results

    List<Settled> settled() {
        return settled;
    }

    List<String> settledNames() {
        return settled.stream().map(Settled::event).toList();
    }

    /** The last settlement of the event. */
    Settlement lastSettlementOf(String name) {
        return settled.stream()
                .filter(one -> one.event().equals(name))
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new AssertionError(name + " was never settled."))
                .as();
    }

    static List<String> names(List<OutboundMessage> messages) {
        return messages.stream().map(message -> message.event().id().toString()).toList();
    }

    private final class Settling extends SessionCallbacks {
        @Override
        public void settled(List<Settlement> settlements, List<StoredEvent> events, boolean progress) {
            for (int i = 0; i < events.size(); i++) {
                settled.add(new Settled(events.get(i).id().toString(), settlements.get(i)));
            }
        }
    }
}
