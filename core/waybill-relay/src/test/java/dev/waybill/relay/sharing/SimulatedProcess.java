package dev.waybill.relay.sharing;

import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;

/** A process with real decisions, and loops and stores that are simulated. Each {@link #step} does what is due. */
final class SimulatedProcess {
    static final Duration LEASE = Duration.ofSeconds(5);
    private static final int LONGEST_DRAIN_MILLIS = 400;

    private final OwnerId id;
    private final LongSupplier clock;
    private final Random random;
    private final Sharing sharing;
    private final Map<SimulatedStore, Long> looks = new LinkedHashMap<>();
    private final List<SimulatedRelay> relays = new ArrayList<>();
    private boolean storesAnswer = true;
    private boolean takes = true;
    private int handedOver;

    SimulatedProcess(String id, LongSupplier clock, Random random) {
        this.id = new OwnerId(id);
        this.clock = clock;
        this.random = random;
        this.sharing = new Sharing(this.id, clock);
    }

    void add(SimulatedStore store, RelayName name) {
        relays.add(new SimulatedRelay(store, name));
        looks.putIfAbsent(store, clock.getAsLong());
    }

    void step() {
        if (storesAnswer) {
            looks.replaceAll((store, due) -> clock.getAsLong() - due < 0 ? due : look(store));
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

    void fails(RelayName... names) {
        relays.forEach(relay -> relay.failing = Set.of(names).contains(relay.name));
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

    /** How often it has given up a lease so that another process takes it. */
    int handedOver() {
        return handedOver;
    }

    private final class SimulatedRelay implements Sharing.Loop {
        private final SimulatedStore store;
        private final RelayName name;
        private final Placement placement;
        private boolean holds;
        private boolean draining;
        private boolean failing;
        private long due = clock.getAsLong();

        SimulatedRelay(SimulatedStore store, RelayName name) {
            this.store = store;
            this.name = name;
            this.placement = sharing.add(store, name, LEASE, this);
        }

        @Override
        public void wake() {
            due = draining ? due : clock.getAsLong();
        }

        @Override
        public boolean isFailing() {
            return failing;
        }

        void step() {
            if (holds) {
                store.take(name, id, LEASE);
            }
            if (clock.getAsLong() - due >= 0) {
                due = in(holds ? run() : standBy());
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
            Duration wait = placement.untilTake();
            if (!wait.isZero()) {
                return wait;
            }
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
