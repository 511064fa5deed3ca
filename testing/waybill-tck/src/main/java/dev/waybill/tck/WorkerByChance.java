package dev.waybill.tck;

import java.util.List;
import java.util.Optional;

/** Random actions of a worker of another make, which shares a store with its only relay and keeps the order of keys, too. */
final class WorkerByChance {
    private final LifeByChance life;
    private final StoreHarness.ForeignWorker worker;
    private Optional<String> locked = Optional.empty();

    WorkerByChance(LifeByChance life, StoreHarness.ForeignWorker worker) {
        this.life = life;
        this.worker = worker;
    }

    void act(RelayByChance relay) {
        if (locked.isPresent()) {
            end(relay, locked.get());
            return;
        }
        List<String> pending = relay.judge().firstPending(relay.inFlight());
        if (!pending.isEmpty()) {
            String event = pending.get(life.random().nextInt(pending.size()));
            if (worker.lock(life.store().id(event))) {
                life.tell("another worker locks " + event);
                relay.judge().locked(event);
                locked = Optional.of(event);
            }
        }
    }

    private void end(RelayByChance relay, String event) {
        String id = life.store().id(event);
        switch (life.random().nextInt(4)) {
            case 0 -> {
                life.tell("another worker publishes " + event);
                worker.publish(id);
                relay.judge().publishedByOthers(event);
            }
            case 1 -> {
                life.tell("another worker fails to publish " + event);
                worker.fail(id);
                relay.judge().failedByOthers(event);
            }
            case 2 -> {
                life.tell("another worker gives up " + event);
                worker.giveUp(id);
                relay.judge().deadByOthers(event);
            }
            default -> {
                life.tell("another worker unlocks " + event);
                worker.unlock(id);
                relay.judge().unlocked(event);
            }
        }
        locked = Optional.empty();
    }

    void finish(RelayByChance relay) {
        locked.ifPresent(event -> end(relay, event));
    }
}
