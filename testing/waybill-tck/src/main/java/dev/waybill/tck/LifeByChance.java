package dev.waybill.tck;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Random steps of applications, relays, a replay, an operator and another worker on one store. */
final class LifeByChance {
    private static final int MOST_ROUNDS = 300;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final StoreFixture store;
    private final Random random;
    private final OperatorByChance operator = new OperatorByChance(this);
    private final Optional<WorkerByChance> worker;
    private final List<RelayByChance> relays = new ArrayList<>();
    /** At most one at a time. */
    private Optional<RelayByChance> replay = Optional.empty();

    private final List<String> appended = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private int replays;

    LifeByChance(StoreFixture store, Random random) {
        this.store = store;
        this.random = random;
        this.worker = store.harness().foreignWorker().map(foreign -> new WorkerByChance(this, foreign));
        addRelay(StoreFixture.RELAY);
        if (store.harness().severalRelays()) {
            addRelay(StoreFixture.OTHER_RELAY);
        }
    }

    /** A store with several relays keeps a position for each. */
    private void addRelay(RelayName name) {
        RelayByChance relay = new RelayByChance(
                this, store.harness().store(), name, store.harness().severalRelays());
        relay.open();
        relays.add(relay);
    }

    StoreFixture store() {
        return store;
    }

    Random random() {
        return random;
    }

    void tell(String step) {
        steps.add(step);
    }

    void live(int count) {
        for (int step = 0; step < count; step++) {
            RelayByChance relay = anyRelay();
            int dice = random.nextInt(100);
            if (dice < 18) {
                append();
            } else if (dice < 48) {
                relay.claim();
            } else if (dice < 66) {
                settle(relay);
            } else if (dice < 69) {
                relay.settle(relay::outcomeInOutage);
            } else if (dice < 76) {
                store.pass(Duration.ofMillis(random.nextInt(4_000)));
            } else if (dice < 79) {
                relay.takeOver();
            } else if (dice < 81) {
                closeAndOpen(relay);
            } else if (dice < 84) {
                relay.continueReplaced();
            } else if (dice < 92) {
                operator.act(relay);
            } else if (dice < 98) {
                worker.ifPresent(foreign -> foreign.act(relays.get(0)));
            } else {
                startReplay();
            }
        }
    }

    private RelayByChance anyRelay() {
        int which = random.nextInt(relays.size() + (replay.isPresent() ? 1 : 0));
        return which < relays.size() ? relays.get(which) : replay.orElseThrow();
    }

    private void append() {
        List<String> names = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            names.add((char) ('a' + random.nextInt(3)) + "" + (steps.size() * 10 + 10 - i));
        }
        append(names);
    }

    private void append(List<String> names) {
        StoreHarness.Tx tx = store.begin();
        tx.append(store.events(names.toArray(String[]::new)));
        if (random.nextInt(8) == 0) {
            tell("append and roll back " + names);
            tx.rollback();
        } else {
            tell("append " + names);
            tx.commit();
            appended.addAll(names);
            relays.forEach(relay -> relay.judge().appended(names));
        }
    }

    /** Often an operator acts right after a failure, while later events of the key are in flight, and another one is appended. */
    private void settle(RelayByChance relay) {
        List<String> closing = relay.settle(relay::outcomeByChance);
        if (!closing.isEmpty() && random.nextInt(3) > 0) {
            String failed = closing.get(random.nextInt(closing.size()));
            operator.changeFailed(relay, failed);
            append(List.of(EventBook.keyOf(failed) + (steps.size() * 10 + 10)));
            relay.claim();
        }
    }

    private void closeAndOpen(RelayByChance relay) {
        relay.close();
        if (!isReplay(relay)) {
            operator.requireCounts(relay);
        }
        relay.open();
    }

    // ---- stored events and replays

    boolean isStored(String event) {
        return store.admin().show(store.id(event)).isPresent();
    }

    /** All events that were not purged, in order. */
    List<String> stored() {
        return appended.stream().filter(this::isStored).toList();
    }

    /** A store that deletes published events sends only some of them again. */
    private void startReplay() {
        if (replay.isEmpty()
                && store.keeps(StoredField.FINISHED_EVENTS)
                && store.harness() instanceof ReplayHarness harness) {
            RelayName name = new RelayName("again-" + ++replays);
            tell("start replay " + name);
            harness.replays().start(name, ReplayQuery.EVERYTHING, StoreFixture.ANNA);
            RelayByChance started = new RelayByChance(this, harness.replays().store(), name, true);
            started.judge().appended(stored());
            replay = Optional.of(started);
        }
    }

    boolean isReplay(RelayByChance relay) {
        return replay.filter(relay::equals).isPresent();
    }

    void replayDropped() {
        replay = Optional.empty();
    }

    // ---- the end

    /** Everything is published, with dead events requeued, and nothing is lost. */
    void finish() {
        worker.ifPresent(foreign -> foreign.finish(relays.get(0)));
        for (RelayByChance relay : relays) {
            finish(relay);
            operator.requireCounts(relay);
        }
        replay.ifPresent(last -> {
            finish(last);
            ReplayStatus status = ((ReplayHarness) store.harness())
                    .replays()
                    .replay(last.name())
                    .orElseThrow();
            if (status.state() != ReplayStatus.State.THROUGH) {
                throw new AssertionError("The replay has nothing more to send and is " + status);
            }
        });
    }

    private void finish(RelayByChance relay) {
        operator.resume(relay);
        closeAndOpen(relay);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            boolean any = false;
            while (relay.claim()) {
                relay.settle(event -> Settlement.PUBLISHED);
                any = true;
            }
            if (!any && !operator.requeueDeadIfAny(relay)) {
                if (operator.parked(relay).isEmpty()
                        && relay.judge().unfinished().isEmpty()) {
                    relay.close();
                    return;
                }
                store.pass(LONGEST_WAIT);
            }
        }
        throw new AssertionError("After " + MOST_ROUNDS + " rounds, " + relay.name() + " has not finished "
                + relay.judge().unfinished() + "; parked: " + operator.parked(relay));
    }

    @Override
    public String toString() {
        return String.join("\n", steps);
    }
}
