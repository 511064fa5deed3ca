package dev.waybill.tck;

import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Random steps on a store within the rules of a relay: batches are settled in the order of claiming, and an event that
 * was claimed before an earlier one of its key failed is parked behind it.
 */
final class LifeByChance {
    private static final int MOST_ROUNDS = 1_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final StoreFixture store;
    private final Random random;
    private final List<String> appended = new ArrayList<>();
    private final Set<String> delivered = new LinkedHashSet<>();
    /** Dead events that did not hold their key: they arrive late when they are requeued. */
    private final Set<String> passed = new HashSet<>();

    private final Deque<Out> out = new ArrayDeque<>();
    /** The last batch for which a key is closed, because one of its events failed after that batch was claimed. */
    private final Map<Utf8, Integer> closedUpTo = new HashMap<>();

    private final List<String> taken = new ArrayList<>();
    private Courier relay;
    private int claimed;

    private record Out(int number, Batch batch) {}

    LifeByChance(StoreFixture store, Random random) {
        this.store = store;
        this.random = random;
        this.relay = store.relay();
    }

    void live(int steps) {
        for (int step = 0; step < steps; step++) {
            int dice = random.nextInt(100);
            if (dice < 20) {
                append();
            } else if (dice < 55) {
                claim();
            } else if (dice < 80) {
                settle(false);
            } else if (dice < 85) {
                settle(true);
            } else if (dice < 95) {
                store.pass(Duration.ofMillis(random.nextInt(4_000)));
            } else {
                beginAnew(random.nextBoolean());
            }
        }
    }

    private void append() {
        String[] names = new String[1 + random.nextInt(4)];
        for (int i = 0; i < names.length; i++) {
            names[i] = (char) ('a' + random.nextInt(3)) + "" + (appended.size() + i + 1);
        }
        store.append(names);
        appended.addAll(List.of(names));
        taken.add("append " + List.of(names));
    }

    private void claim() {
        relay.session().claim(new Limits(1 + random.nextInt(5), 1_000_000)).ifPresent(batch -> {
            out.add(new Out(++claimed, batch));
            taken.add("claim " + relay.names(batch));
        });
    }

    private void settle(boolean releasing) {
        Out oldest = out.poll();
        if (oldest == null) {
            return;
        }
        List<Settlement> settlements = new ArrayList<>();
        Set<Utf8> closed = new HashSet<>();
        boolean released = false;
        for (StoredEvent event : oldest.batch.events()) {
            Settlement settlement;
            if (released || (releasing && random.nextInt(3) == 0)) {
                settlement = Settlement.RELEASED;
                released = true;
            } else {
                boolean behind = closed.contains(event.orderKey())
                        || closedUpTo.getOrDefault(event.orderKey(), 0) >= oldest.number;
                settlement = behind ? Settlement.BEHIND : byChance();
                if (closesKey(settlement)) {
                    closed.add(event.orderKey());
                }
            }
            settlements.add(settlement);
        }
        relay.session().settle(oldest.batch, settlements);
        taken.add("settle " + relay.names(oldest.batch) + " as " + words(settlements));
        takeNote(oldest.batch, settlements);
        closed.forEach(key -> closedUpTo.put(key, claimed));
        if (released) {
            forgetWhatIsOut();
        }
    }

    private Settlement byChance() {
        int dice = random.nextInt(20);
        if (dice < 3) {
            return store.retryIn(Duration.ofMillis(random.nextInt(5_000)));
        }
        if (dice == 3) {
            return StoreFixture.deadHolding();
        }
        return dice == 4 ? StoreFixture.deadPassing() : Settlement.PUBLISHED;
    }

    /** An event that goes behind another one is of a batch for which the key is closed already. */
    private static boolean closesKey(Settlement settlement) {
        return settlement instanceof Settlement.RetryAt
                || (settlement instanceof Settlement.Dead dead && dead.holdsKey());
    }

    private void takeNote(Batch batch, List<Settlement> settlements) {
        List<String> names = relay.names(batch);
        for (int i = 0; i < names.size(); i++) {
            if (settlements.get(i) instanceof Settlement.Published) {
                delivered.add(names.get(i));
            } else if (settlements.get(i) instanceof Settlement.Dead dead && !dead.holdsKey()) {
                passed.add(names.get(i));
            }
        }
    }

    /** Forgets events in flight. The old session is closed, or left open as if its process had been killed. */
    private void beginAnew(boolean closing) {
        if (closing) {
            relay.close();
        }
        forgetWhatIsOut();
        relay = store.relay();
        taken.add(closing ? "close and open" : "take over");
    }

    private void forgetWhatIsOut() {
        out.clear();
        closedUpTo.clear();
    }

    /** Continues until nothing is left, requeueing dead events. */
    void drainAndRequeue() {
        beginAnew(true);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            delivered.addAll(relay.limits(1 + random.nextInt(5), 1_000_000).drain());
            List<ParkedEvent> parked = store.admin().parked(ParkedQuery.of(StoreFixture.RELAY));
            if (parked.isEmpty()) {
                return;
            }
            if (parked.stream().allMatch(one -> one.state() != ParkedState.DUE)) {
                List<String> dead = parked.stream()
                        .filter(one -> one.state() == ParkedState.DEAD)
                        .map(ParkedEvent::eventId)
                        .toList();
                store.admin().requeue(StoreFixture.RELAY, Selection.of(dead), StoreFixture.ANNA);
            }
            store.pass(LONGEST_WAIT);
        }
        throw new AssertionError("Still parked after " + MOST_ROUNDS + " rounds: "
                + store.admin().parked(ParkedQuery.of(StoreFixture.RELAY)));
    }

    Collection<String> appended() {
        return appended;
    }

    Collection<String> delivered() {
        return delivered;
    }

    Map<String, List<String>> appendedByKey() {
        return byKey(appended);
    }

    Map<String, List<String>> firstDeliveriesByKey() {
        return byKey(delivered);
    }

    private Map<String, List<String>> byKey(Collection<String> names) {
        Map<String, List<String>> keys = new TreeMap<>();
        for (String name : names) {
            if (!passed.contains(name)) {
                keys.computeIfAbsent(EventBook.keyOf(name), key -> new ArrayList<>())
                        .add(name);
            }
        }
        return keys;
    }

    private static String words(List<Settlement> settlements) {
        return settlements.stream()
                .map(settlement -> settlement.getClass().getSimpleName())
                .toList()
                .toString();
    }

    @Override
    public String toString() {
        return String.join("\n", taken);
    }
}
