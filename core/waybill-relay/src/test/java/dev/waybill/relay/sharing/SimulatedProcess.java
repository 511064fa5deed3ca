package dev.waybill.relay.sharing;

import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;

/** A process with real decisions, and loops and stores that are simulated. Each {@link #step} does what is due. */
final class SimulatedProcess {
    static final Duration LEASE = Duration.ofSeconds(5);
    private static final int LONGEST_DRAIN_MILLIS = 400;
    private static final Duration UNTIL_CONNECTING_FAILS = Duration.ofSeconds(10);
    private static final Duration FAILURES_ARE_REMEMBERED = Duration.ofSeconds(15);

    private final OwnerId id;
    private final LongSupplier clock;
    private final Random random;
    private final Duration untilSendingFails;
    private final Sharing sharing;
    private final Map<SimulatedStore, Long> looks = new LinkedHashMap<>();
    private final List<SimulatedRelay> relays = new ArrayList<>();
    private boolean storesAnswer = true;
    private boolean takes = true;
    private Set<String> away = Set.of();
    private Set<SimulatedStore> unreachable = Set.of();
    private int handedOver;

    SimulatedProcess(String id, LongSupplier clock, Random random, Duration untilSendingFails) {
        this.id = new OwnerId(id);
        this.clock = clock;
        this.random = random;
        this.untilSendingFails = untilSendingFails;
        this.sharing = new Sharing(this.id, clock);
    }

    void add(SimulatedStore store, String destination, RelayName name) {
        relays.add(new SimulatedRelay(store, destination, name));
        looks.putIfAbsent(store, clock.getAsLong());
    }

    void step() {
        if (storesAnswer) {
            looks.replaceAll(
                    (store, due) -> clock.getAsLong() - due < 0 || unreachable.contains(store) ? due : look(store));
        }
        relays.forEach(SimulatedRelay::step);
    }

    private long look(SimulatedStore store) {
        sharing.toAnnounce(store).ifPresent(entry -> {
            store.announce(entry, sharing.validity(store));
            sharing.announced(store, entry);
        });
        sharing.see(store, store.read());
        return in(sharing.untilLook(store));
    }

    private long in(Duration time) {
        return clock.getAsLong() + time.toNanos();
    }

    /** From now on, announcements and readings fail; leases can be taken and renewed. */
    void losesSightOfOthers() {
        storesAnswer = false;
    }

    /** Announces that it would run relays, but no store gives it a lease. */
    void takesNothing() {
        takes = false;
    }

    void takesAgain() {
        takes = true;
    }

    /** From now on, this store does not answer this process. */
    void cannotReach(SimulatedStore store) {
        unreachable = Set.of(store);
        relays.stream().filter(relay -> relay.store == store).forEach(SimulatedRelay::loses);
    }

    /** Relays of these destinations fail soon after they have taken their leases. */
    void areAway(String... destinations) {
        away = Set.of(destinations);
    }

    void fails(RelayName... names) {
        relays.forEach(relay -> relay.failing = Set.of(names).contains(relay.name));
    }

    /** These relays have nothing to publish. */
    void idles(RelayName... names) {
        relays.forEach(relay -> relay.idle = Set.of(names).contains(relay.name));
    }

    OwnerId id() {
        return id;
    }

    long held() {
        return relays.stream().filter(relay -> relay.holds).count();
    }

    boolean holds(RelayName name) {
        return relays.stream().anyMatch(relay -> relay.holds && relay.name.equals(name));
    }

    /** When it last published events of the relay, or was started. */
    long lastPublished(RelayName name) {
        return relays.stream()
                .filter(relay -> relay.name.equals(name))
                .mapToLong(relay -> relay.lastPublished)
                .max()
                .orElse(0);
    }

    /** How often it has given up a lease so that another process takes it. */
    int handedOver() {
        return handedOver;
    }

    private record Streak(long first, long last) {}

    private final class SimulatedRelay implements Sharing.Loop {
        private final SimulatedStore store;
        private final String destination;
        private final RelayName name;
        private final Placement placement;
        private boolean holds;
        private boolean draining;
        private boolean connecting;
        private boolean failing;
        private boolean idle;
        private long heldSince;
        private long lastPublished = clock.getAsLong();
        private boolean hasPublished;
        private Optional<Streak> failure = Optional.empty();
        private long due = clock.getAsLong();

        SimulatedRelay(SimulatedStore store, String destination, RelayName name) {
            this.store = store;
            this.destination = destination;
            this.name = name;
            this.placement = sharing.add(store, destination, name, LEASE, this);
        }

        @Override
        public void wake() {
            due = draining || connecting ? due : clock.getAsLong();
        }

        @Override
        public Optional<Duration> failingFor() {
            return failure.filter(streak -> clock.getAsLong() - streak.last() < FAILURES_ARE_REMEMBERED.toNanos())
                    .map(streak -> Duration.ofNanos(clock.getAsLong() - streak.first()));
        }

        @Override
        public Optional<Duration> lastPublished() {
            return hasPublished ? Optional.of(Duration.ofNanos(clock.getAsLong() - lastPublished)) : Optional.empty();
        }

        @Override
        public boolean isIdle() {
            return idle;
        }

        void hasFailed() {
            long now = clock.getAsLong();
            failure = Optional.of(new Streak(failure.map(Streak::first).orElse(now), now));
        }

        void loses() {
            if (holds) {
                holds = false;
                draining = false;
                placement.ended();
            }
        }

        @Override
        public RelayReport report() {
            return new RelayReport(id, name, holds ? "running" : "standing by", Optional.empty(), Optional.empty());
        }

        void step() {
            if (holds) {
                store.take(name, id, LEASE);
                send();
            }
            if (clock.getAsLong() - due >= 0) {
                due = in(holds ? run() : standBy());
            }
        }

        private void send() {
            if (idle) {
                return;
            }
            if (!failing && !away.contains(destination)) {
                failure = Optional.empty();
                lastPublished = clock.getAsLong();
                hasPublished = true;
            } else if (failing
                    || clock.getAsLong() - Math.max(heldSince, lastPublished) > untilSendingFails.toNanos()) {
                hasFailed();
            }
        }

        private Duration run() {
            if (draining) {
                draining = false;
                holds = false;
                store.release(name);
                placement.ended();
                handedOver++;
                return Duration.ZERO;
            }
            draining = placement.givesUp();
            return draining ? Duration.ofMillis(random.nextInt(LONGEST_DRAIN_MILLIS)) : LEASE.dividedBy(10);
        }

        private Duration standBy() {
            if (connecting) {
                connecting = false;
                hasFailed();
                placement.notTaken();
                return LEASE;
            }
            Duration wait = placement.untilTake();
            if (!wait.isZero()) {
                return wait;
            }
            if (unreachable.contains(store)) {
                connecting = true;
                return UNTIL_CONNECTING_FAILS;
            }
            heldSince = clock.getAsLong();
            holds = takes && store.take(name, id, LEASE);
            if (holds) {
                placement.taken();
            } else {
                placement.notTaken();
            }
            return LEASE.dividedBy(10);
        }
    }
}
