package dev.waybill.relay;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A cycle turned by hand between an outbox in memory and a destination that answers when it likes. It is in this package
 * because the cycle is. The clock moves only when there is nothing to do and no answer comes.
 */
public final class ManualRelay {
    private static final RelayName RELAY = new RelayName("relay");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ManualClock clock = new ManualClock();
    private final InMemoryOutbox outbox = new InMemoryOutbox(clock);
    private final Semaphore answers = new Semaphore(0);
    private final Map<String, Settlement> last = new HashMap<>();
    private final Map<String, Integer> retries = new HashMap<>();
    private final List<String> appended = new ArrayList<>();
    private final RelaySession session;
    private final UserCalls calls;
    private final RelayCycle cycle;
    private int timesAway;

    public ManualRelay(Destination destination, Route route, UnaryOperator<RelayOptions> options) {
        RelayPlan plan = Relay.named(RELAY.value())
                .from(outbox.store())
                .to(destination)
                .route(route)
                .format(Format.raw(HeaderStyle.ATTRIBUTES))
                .options(options.apply(RelayOptions.defaults()));
        session = outbox.store()
                .open(RELAY, new OwnerId("one"), Duration.ofMinutes(1))
                .orElseThrow();
        calls = new UserCalls(plan, new RelayStatistics(), new FailureStreak(System::nanoTime), System::nanoTime);
        cycle = new RelayCycle(
                new ClaimAhead(session, Runnable::run, Runnable::run), plan, clock, new SessionCallbacks());
    }

    /** An event whose id is its name and whose aggregate is named by its letters. */
    public static Event event(String name, Payload payload) {
        return event("thing.happened", name, payload);
    }

    public static Event event(String type, String name, Payload payload) {
        return Event.of(type)
                .aggregate("Thing", name.replaceAll("[^a-z]", ""))
                .payload(payload)
                .id(name);
    }

    /** In one transaction. */
    public void append(List<Event> events) {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(transaction, events);
            transaction.commit();
        }
        events.forEach(event -> appended.add(event.id()));
    }

    /** Turns until every event is published or dead. */
    public void runUntilAllIsSettled() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!appended.stream().allMatch(this::isSettled)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Not settled within " + PATIENCE.toSeconds() + " s: "
                        + appended.stream().filter(name -> !isSettled(name)).toList());
            }
            turn();
        }
    }

    private boolean isSettled(String name) {
        Settlement settlement = last.get(name);
        return settlement instanceof Settlement.Published || settlement instanceof Settlement.Dead;
    }

    /** One turn, and a wait when there was nothing to do. */
    public void turn() throws InterruptedException {
        CycleResult turn = cycle.runOnce();
        if (turn instanceof CycleResult.Unavailable) {
            timesAway++;
        }
        if (!(turn instanceof CycleResult.Worked) && !answers.tryAcquire(50, TimeUnit.MILLISECONDS)) {
            clock.advance(Duration.ofSeconds(1));
            session.renew();
        }
        answers.drainPermits();
    }

    public int timesAway() {
        return timesAway;
    }

    /** How often the event was to be sent again. */
    public int retriesOf(String name) {
        return retries.getOrDefault(name, 0);
    }

    /** How often any event was to be sent again. */
    public int retries() {
        return retries.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The dead and why. */
    public Map<String, String> dead() {
        Map<String, String> dead = new HashMap<>();
        for (ParkedEvent parked :
                outbox.admin().parked(ParkedQuery.of(RELAY).in(ParkedState.DEAD).atMost(10_000))) {
            dead.put(parked.eventId(), String.valueOf(parked.error()));
        }
        return dead;
    }

    public ManualClock clock() {
        return clock;
    }

    private final class SessionCallbacks implements RelayCycle.Callbacks {
        @Override
        public void answersArrived() {
            answers.release();
        }

        @Override
        public boolean mayPublish() {
            return true;
        }

        @Override
        public UserCalls calls() {
            return calls;
        }

        @Override
        public void claimed(List<StoredEvent> events) {}

        @Override
        public RelayListener.Sending sending(
                Supplier<List<StoredEvent>> events, List<OutboundMessage> messages, Supplier<Duration> sinceClaim) {
            return RelayListener.Sending.IGNORED;
        }

        @Override
        public void settled(List<Settlement> settlements, List<StoredEvent> events, boolean progress) {
            for (int i = 0; i < events.size(); i++) {
                String name = events.get(i).id().toString();
                last.put(name, settlements.get(i));
                if (settlements.get(i) instanceof Settlement.RetryAt) {
                    retries.merge(name, 1, Integer::sum);
                }
            }
        }

        @Override
        public void repeats(int events) {}
    }
}
