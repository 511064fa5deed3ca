package dev.waybill.tck;

import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Random steps of one relay within its rules: batches are settled in the order of claiming, and an event that was claimed before an
 * earlier one of its key failed is settled behind it. Sessions that were replaced stay open and may continue later.
 */
final class RelayByChance {
    private static final int MOST_OUT = 4;
    private static final int MOST_REPLACED = 2;

    private final LifeByChance life;
    private final EventStore events;
    private final RelayName name;
    /** Whether the store keeps a position, which a session saves from time to time, and not a mark on each event. */
    private final boolean keepsPosition;

    private final LifeJudge judge;
    /** How many of a hundred events fail. */
    private final int failures;

    private final Deque<Replaced> replaced = new ArrayDeque<>();
    private final Deque<Out> out = new ArrayDeque<>();
    /** The last batch for which a key is closed, because one of its events failed after that batch was claimed. */
    private final Map<Utf8, Integer> closedUpTo = new HashMap<>();
    /** Names of events that the session has published. */
    private final Set<String> published = new LinkedHashSet<>();

    private @Nullable Courier session;
    private boolean paused;
    private int claimed;

    private record Out(int number, Batch batch) {}

    /** A session that another one has replaced, with its oldest batch in flight. */
    private record Replaced(Courier courier, Optional<Batch> oldest) {}

    RelayByChance(LifeByChance life, EventStore events, RelayName name, boolean keepsPosition) {
        this.life = life;
        this.events = events;
        this.name = name;
        this.keepsPosition = keepsPosition;
        this.judge = new LifeJudge(keepsPosition);
        this.failures = 10 + life.random().nextInt(60);
    }

    RelayName name() {
        return name;
    }

    LifeJudge judge() {
        return judge;
    }

    boolean isPaused() {
        return paused;
    }

    void pause(boolean pause) {
        paused = pause;
    }

    boolean isOpen() {
        return session != null;
    }

    Courier open() {
        Courier current = session;
        if (current == null) {
            current = life.store()
                    .open(events, name, StoreFixture.ONE)
                    .orElseThrow(() -> new AssertionError("The lease of " + name + " is not free."));
            session = current;
        }
        return current;
    }

    /** Names of events that are claimed and not settled. */
    Set<String> inFlight() {
        Set<String> names = new LinkedHashSet<>();
        out.forEach(one -> names.addAll(open().names(one.batch)));
        return names;
    }

    /** @return whether the store gave a batch */
    boolean claim() {
        if (out.size() >= MOST_OUT) {
            return false;
        }
        Courier courier = open();
        Optional<Batch> batch =
                courier.session().claim(new Limits(1 + life.random().nextInt(5), 1_000_000));
        batch.ifPresent(given -> {
            List<String> names = courier.names(given);
            life.tell(name + " claims " + names);
            require(!paused, "paused, but claims " + names);
            Set<String> before = inFlight();
            for (String event : names) {
                judge.claimed(event, before);
                before.add(event);
            }
            out.add(new Out(++claimed, given));
        });
        return batch.isPresent();
    }

    /** @return names of events that have just closed their keys while later batches are in flight */
    List<String> settle(Function<StoredEvent, Settlement> outcomes) {
        Out oldest = out.poll();
        if (oldest == null) {
            return List.of();
        }
        Courier courier = open();
        List<String> names = courier.names(oldest.batch);
        List<Settlement> settlements = choose(oldest, outcomes);
        life.tell(name + " settles " + names + " as " + words(settlements));
        courier.session().settle(oldest.batch, settlements);
        List<String> closing = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            judge.settled(names.get(i), settlements.get(i));
            if (settlements.get(i) instanceof Settlement.Published) {
                published.add(names.get(i));
            } else if (closes(settlements.get(i))) {
                closing.add(names.get(i));
                closedUpTo.put(oldest.batch.events().get(i).orderKey(), claimed);
            }
        }
        if (settlements.contains(Settlement.RELEASED)) {
            forgetInFlight();
        }
        return out.isEmpty() ? List.of() : closing;
    }

    private List<Settlement> choose(Out oldest, Function<StoredEvent, Settlement> outcomes) {
        List<Settlement> settlements = new ArrayList<>();
        Set<Utf8> closed = new HashSet<>();
        boolean released = false;
        for (StoredEvent event : oldest.batch.events()) {
            boolean behind =
                    closed.contains(event.orderKey()) || closedUpTo.getOrDefault(event.orderKey(), 0) >= oldest.number;
            Settlement settlement = released ? Settlement.RELEASED : behind ? Settlement.BEHIND : outcomes.apply(event);
            released |= settlement instanceof Settlement.Released;
            if (closes(settlement)) {
                closed.add(event.orderKey());
            }
            settlements.add(settlement);
        }
        return settlements;
    }

    /** An event that goes behind another one is of a batch for which the key is closed already. */
    private static boolean closes(Settlement settlement) {
        return Settlement.closesKey(settlement) && !(settlement instanceof Settlement.Behind);
    }

    /** An event that fails at its last attempt is dead. */
    Settlement outcomeByChance(StoredEvent event) {
        if (life.random().nextInt(100) >= failures) {
            return Settlement.PUBLISHED;
        }
        boolean last = event.attempts() + 1 >= event.maxAttempts();
        if (!last && life.random().nextBoolean()) {
            return life.store().retryIn(Duration.ofMillis(life.random().nextInt(5_000)));
        }
        return life.random().nextBoolean() ? StoreFixture.deadHolding() : StoreFixture.deadPassing();
    }

    /** The same with an outage of the destination. */
    Settlement outcomeInOutage(StoredEvent event) {
        return life.random().nextInt(3) == 0 ? Settlement.RELEASED : outcomeByChance(event);
    }

    private void forgetInFlight() {
        out.clear();
        closedUpTo.clear();
    }

    /** Closes the session, which saves what it settled. Events in flight will be claimed again. */
    void close() {
        Courier current = session;
        if (current != null) {
            life.tell(name + " closes");
            current.close();
            published.clear();
            forgetInFlight();
            session = null;
        }
    }

    /** Another session takes over, as if the process of this one were killed or suspended. */
    void takeOver() {
        Courier old = session;
        if (old == null) {
            return;
        }
        life.tell(name + " is taken over");
        replaced.add(new Replaced(old, Optional.ofNullable(out.peek()).map(Out::batch)));
        if (replaced.size() > MOST_REPLACED) {
            replaced.remove().courier.close();
        }
        if (keepsPosition) {
            judge.mayRepeat(published);
        }
        published.clear();
        forgetInFlight();
        session = null;
        open();
    }

    /** A session that was replaced continues: nothing that it does has an effect. */
    void continueReplaced() {
        Replaced old = replaced.poll();
        if (old == null) {
            return;
        }
        life.tell(name + ": a replaced session continues");
        if (life.random().nextBoolean()) {
            require(!old.courier.session().renew(), "a replaced session renewed its lease");
        }
        boolean refused = old.oldest
                .map(batch -> isRefused(() -> old.courier
                        .session()
                        .settle(
                                batch,
                                batch.events().stream()
                                        .map(this::outcomeByChance)
                                        .toList())))
                .orElse(false);
        if (!refused) {
            isRefused(() -> old.courier
                    .session()
                    .claim(Courier.PLENTY)
                    .ifPresent(batch -> require(false, "a replaced session claims " + old.courier.names(batch))));
        }
        old.courier.close();
    }

    /** A store refuses what a replaced session does, or ignores it. */
    private static boolean isRefused(Runnable call) {
        try {
            call.run();
            return false;
        } catch (LeaseLostException | StoreException e) {
            return true;
        }
    }

    private void require(boolean holds, String violation) {
        if (!holds) {
            throw new AssertionError(name + ": " + violation);
        }
    }

    private static String words(List<Settlement> settlements) {
        return settlements.stream()
                .map(settlement -> settlement.getClass().getSimpleName())
                .toList()
                .toString();
    }
}
