package dev.waybill.tck;

import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Random actions of an operator, whose effects are as announced. */
final class OperatorByChance {
    private static final int ALL = 10_000;

    private final LifeByChance life;

    OperatorByChance(LifeByChance life) {
        this.life = life;
    }

    private StoreAdmin admin() {
        return life.store().admin();
    }

    void act(RelayByChance relay) {
        int dice = life.random().nextInt(100);
        if (dice < 50) {
            changeOne(relay);
        } else if (dice < 66) {
            requeueDead(relay);
        } else if (dice < 70) {
            discardDead(relay);
        } else if (dice < 85) {
            pauseOrResume(relay);
        } else if (dice < 95) {
            purge(relay);
        } else {
            drop(relay);
        }
    }

    // ---- parked events

    List<ParkedEvent> parked(RelayByChance relay) {
        return admin().parked(ParkedQuery.of(relay.name()).atMost(ALL));
    }

    private String event(ParkedEvent parked) {
        return life.store().book.name(parked.eventId());
    }

    private void changeOne(RelayByChance relay) {
        List<ParkedEvent> parked = parked(relay);
        requireAsListed(relay, parked);
        if (!parked.isEmpty()) {
            change(relay, parked.get(life.random().nextInt(parked.size())));
        }
    }

    /** Discards or requeues an event that has just failed. */
    void changeFailed(RelayByChance relay, String failed) {
        parked(relay).stream()
                .filter(parked -> event(parked).equals(failed))
                .findFirst()
                .ifPresent(parked -> change(relay, parked));
    }

    private void change(RelayByChance relay, ParkedEvent parked) {
        if (life.random().nextBoolean()) {
            discard(relay, parked);
        } else {
            requeue(relay, parked);
        }
    }

    private void discard(RelayByChance relay, ParkedEvent parked) {
        Selection one = Selection.of(parked.eventId());
        life.tell("discard " + event(parked) + " of " + relay.name() + ", which is " + parked.state());
        require(admin().discard(relay.name(), one, StoreFixture.ANNA) == 1, event(parked) + " was not discarded");
        relay.judge().discarded(event(parked));
    }

    private void requeue(RelayByChance relay, ParkedEvent parked) {
        Selection one = Selection.of(parked.eventId());
        life.tell("requeue " + event(parked) + " of " + relay.name() + ", which is " + parked.state());
        int requeued = admin().requeue(relay.name(), one, StoreFixture.ANNA);
        boolean dead = parked.state() == ParkedState.DEAD;
        boolean waits = parked.state() == ParkedState.WAITING;
        require(
                requeued == (dead ? 1 : 0) || !(dead || waits),
                event(parked) + ", which is " + parked.state() + ", was requeued " + requeued + " times");
        if (requeued == 1) {
            relay.judge().requeued(event(parked));
        }
    }

    private void requeueDead(RelayByChance relay) {
        List<ParkedEvent> dead = dead(relay);
        life.tell("requeue all dead of " + relay.name());
        int requeued = admin().requeue(relay.name(), Selection.all(ParkedState.DEAD), StoreFixture.ANNA);
        require(requeued == dead.size(), requeued + " of " + dead.size() + " dead events were requeued");
        dead.forEach(one -> relay.judge().requeued(event(one)));
    }

    private void discardDead(RelayByChance relay) {
        List<ParkedEvent> dead = dead(relay);
        life.tell("discard all dead of " + relay.name());
        int discarded = admin().discard(relay.name(), Selection.all(ParkedState.DEAD), StoreFixture.ANNA);
        require(discarded == dead.size(), discarded + " of " + dead.size() + " dead events were discarded");
        dead.forEach(one -> relay.judge().discarded(event(one)));
    }

    private List<ParkedEvent> dead(RelayByChance relay) {
        return parked(relay).stream()
                .filter(one -> one.state() == ParkedState.DEAD)
                .toList();
    }

    /** @return whether there were any */
    boolean requeueDeadIfAny(RelayByChance relay) {
        boolean any = !dead(relay).isEmpty();
        if (any) {
            requeueDead(relay);
        }
        return any;
    }

    private void requireAsListed(RelayByChance relay, List<ParkedEvent> parked) {
        relay.judge().requireDead(holdingByName(parked));
        parked.stream()
                .filter(one -> one.state() == ParkedState.DUE)
                .forEach(one -> relay.judge().requireNotHeld(event(one)));
    }

    private Map<String, Boolean> holdingByName(List<ParkedEvent> parked) {
        Map<String, Boolean> dead = new HashMap<>();
        parked.stream()
                .filter(one -> one.state() == ParkedState.DEAD)
                .forEach(one -> dead.put(event(one), one.holdsKey()));
        return dead;
    }

    /** While no session is open, so that everything is saved. */
    void requireCounts(RelayByChance relay) {
        if (relay.judge().isUncertain()) {
            return;
        }
        requireAsListed(relay, parked(relay));
        RelayStatus status = life.store().status(relay.name());
        long open = status.parked() + status.backlog();
        require(
                open == relay.judge().countOpen() || !status.backlogExact(),
                "status says " + open + " are parked or not sent yet; these are " + relay.judge());
    }

    // ---- relays

    private void pauseOrResume(RelayByChance relay) {
        boolean pause = !relay.isPaused();
        relay.open();
        life.tell((pause ? "pause " : "resume ") + relay.name());
        boolean done = pause
                ? admin().pause(relay.name(), StoreFixture.ANNA)
                : admin().resume(relay.name(), StoreFixture.ANNA);
        require(done, relay.name() + " is not known");
        relay.pause(pause);
    }

    void resume(RelayByChance relay) {
        if (relay.isPaused()) {
            pauseOrResume(relay);
        }
    }

    private void purge(RelayByChance relay) {
        life.tell("purge");
        if (life.random().nextBoolean()) {
            life.store().harness().store().purge(Duration.ZERO, ALL);
        } else {
            admin().purge(Duration.ZERO, StoreFixture.ANNA);
        }
        for (String event : relay.judge().unfinished()) {
            require(life.isStored(event), event + " was purged before " + relay.name() + " was done with it");
        }
    }

    private void drop(RelayByChance relay) {
        if (life.isReplay(relay)) {
            life.tell("drop " + relay.name());
            require(admin().drop(relay.name(), StoreFixture.ANNA), relay.name() + " is not known");
            life.replayDropped();
            return;
        }
        relay.open();
        relay.close();
        life.tell("drop " + relay.name());
        require(admin().drop(relay.name(), StoreFixture.ANNA), relay.name() + " is not known");
        if (admin().restore(relay.name(), StoreFixture.ANNA)) {
            relay.judge().beginAgain(life.stored());
        }
        relay.pause(false);
        relay.open();
        relay.judge().forgetFailures(holdingByName(parked(relay)));
    }

    private static void require(boolean holds, String violation) {
        if (!holds) {
            throw new AssertionError(violation);
        }
    }
}
