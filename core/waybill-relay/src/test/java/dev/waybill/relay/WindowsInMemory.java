package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.spi.transaction.WindowStore;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** A store whose positions a destination keeps: one window, in which the position of an event is its number, from 1. */
final class WindowsInMemory implements WindowStore {
    private static final UUID WINDOW = new UUID(0, 1);

    private final InMemoryOutbox outbox = new InMemoryOutbox();
    private final List<StoredEvent> events = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Settlement.Dead> dead = new HashMap<>();
    private final Set<String> heldKeys = new HashSet<>();
    private boolean leaseLost;
    private int known;

    void append(String... names) {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(
                    transaction,
                    Arrays.stream(names)
                            .map(name -> CycleScene.event(name, "{}"))
                            .toList());
            transaction.commit();
        }
        OwnerId owner = new OwnerId("test");
        try (RelaySession session = outbox.store()
                .open(CycleScene.RELAY, owner, Duration.ofMinutes(1))
                .orElseThrow()) {
            Batch batch = session.claim(new Limits(1_000, 1_000_000)).orElseThrow();
            events.addAll(batch.events());
            session.settle(batch, Collections.nCopies(batch.events().size(), Settlement.PUBLISHED));
        }
    }

    static String name(StoredEvent event) {
        return event.id().toString();
    }

    Map<String, Settlement.Dead> dead() {
        return dead;
    }

    /** How many events the store knows to be committed. */
    int known() {
        return known;
    }

    void loseLease() {
        leaseLost = true;
    }

    WindowSession session() {
        return new Session(Integer.MAX_VALUE);
    }

    /** A session whose reads fail after this many. */
    WindowSession failingAfter(int reads) {
        return new Session(reads);
    }

    @Override
    public Optional<WindowSession> openWindows(RelayName relay, OwnerId owner, Duration lease) {
        return Optional.of(session());
    }

    @Override
    public boolean purge(Duration olderThan, int atMost) {
        return false;
    }

    @Override
    public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
        return outbox.store().open(relay, owner, lease);
    }

    @Override
    public Optional<ProcessRegister> processes() {
        return outbox.store().processes();
    }

    private record Page(List<StoredEvent> events, List<Integer> numbers, boolean isLast) implements WindowPage {
        @Override
        public WindowPosition positionOf(int index) {
            return new WindowPosition(WINDOW, numbers.get(index));
        }

        @Override
        public WindowPosition end() {
            return positionOf(events.size() - 1);
        }
    }

    private final class Session implements WindowSession {
        private int read;
        private int readsLeft;

        Session(int reads) {
            this.readsLeft = reads;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public boolean renew() {
            return !leaseLost;
        }

        @Override
        public String origin() {
            return "memory";
        }

        @Override
        public Resumed resume(Optional<WindowPosition> committed) {
            read = committed.map(position -> (int) position.seq()).orElse(0);
            return committed.isPresent() ? Resumed.COMMITTED : Resumed.OWN_POSITION;
        }

        @Override
        public Optional<WindowPage> read(Limits max) {
            if (readsLeft-- == 0) {
                throw new StoreException("the store is unavailable");
            }
            List<Integer> numbers = IntStream.range(read, events.size())
                    .filter(index -> isOpen(events.get(index)))
                    .limit(max.events())
                    .mapToObj(index -> index + 1)
                    .toList();
            if (numbers.isEmpty()) {
                return Optional.empty();
            }
            read = numbers.get(numbers.size() - 1);
            boolean last = IntStream.range(read, events.size()).noneMatch(index -> isOpen(events.get(index)));
            return Optional.of(new Page(
                    numbers.stream().map(number -> events.get(number - 1)).toList(), numbers, last));
        }

        private boolean isOpen(StoredEvent event) {
            return !dead.containsKey(name(event))
                    && !heldKeys.contains(event.orderKey().toString());
        }

        @Override
        public void giveUp(List<StoredEvent> given, List<Settlement.Dead> outcomes) {
            for (int i = 0; i < given.size(); i++) {
                dead.put(name(given.get(i)), outcomes.get(i));
                if (outcomes.get(i).holdsKey()) {
                    heldKeys.add(given.get(i).orderKey().toString());
                }
            }
        }

        @Override
        public void committed(WindowPosition position) {
            known = (int) position.seq();
        }

        @Override
        public void close() {}
    }
}
