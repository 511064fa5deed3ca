package dev.waybill.relay;

import dev.waybill.RetryPolicy;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.relay.ScriptedBroker.Answer;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sends events through a cycle to a scripted broker and checks the result. */
final class MixedOutcomesRun {
    private static final int MOST_ROUNDS = 60;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Setting setting;
    private final List<String> names;
    private final ScriptedBroker broker;
    private final CycleScene scene;
    /** Dead events that did not hold their key. */
    private final Set<String> passed = new TreeSet<>();

    /**
     * @param retries how often an event is sent again
     * @param batch how many events one batch has
     * @param newestFirst whether the answer to the newest publish comes first
     */
    record Setting(KeyOrder order, OnDead onDead, int retries, int batch, boolean newestFirst) {}

    /** @param names in the order of their append; the letters of a name are its key */
    MixedOutcomesRun(Setting setting, List<String> names, List<Answer> answers) {
        this.setting = setting;
        this.names = names;
        Map<String, Answer> script = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            script.put(names.get(i), answers.get(i));
        }
        broker = new ScriptedBroker(setting.order, script);
        scene = new CycleScene(broker)
                .batchesOf(setting.batch)
                .onDead(setting.onDead)
                .options(options ->
                        options.retry(new RetryPolicy(setting.retries, Duration.ofSeconds(1), 2, LONGEST_WAIT)));
    }

    /** @return the violations found */
    List<String> violations() {
        scene.append(names.toArray(String[]::new));
        drain();
        List<String> dead = scene.dead();
        if (setting.onDead == OnDead.PASS) {
            passed.addAll(dead);
        }
        broker.refuseNothing();
        for (int round = 0; round < MOST_ROUNDS && !dead.isEmpty(); round++) {
            scene.requeue(dead.toArray(String[]::new));
            drain();
            dead = scene.dead();
        }
        List<String> found = new ArrayList<>();
        judgeArrivals(found);
        judgeCounts(found);
        return found;
    }

    /** Runs until nothing is in flight and nothing is due, now or later. */
    private void drain() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            CycleResult turn = scene.run();
            if (!broker.isIdle()) {
                broker.answer(setting.newestFirst);
            } else if (turn instanceof CycleResult.Idle && hasOnlyDead()) {
                return;
            } else {
                scene.pass(LONGEST_WAIT);
            }
        }
    }

    private boolean hasOnlyDead() {
        boolean holds = scene.parked().stream().anyMatch(ParkedEvent::holdsKey);
        return scene.parked().stream()
                .allMatch(one -> one.state() == ParkedState.DEAD || (holds && one.state() == ParkedState.WAITING));
    }

    private void judgeArrivals(List<String> found) {
        Set<String> firsts = new LinkedHashSet<>(broker.arrived());
        if (!firsts.containsAll(names)) {
            found.add("lost or stuck: only " + firsts + " arrived");
        }
        if (!byKey(firsts).equals(byKey(names))) {
            found.add("out of order: " + firsts);
        }
    }

    private Map<String, List<String>> byKey(Iterable<String> all) {
        Map<String, List<String>> keys = new LinkedHashMap<>();
        for (String name : all) {
            if (!passed.contains(name)) {
                keys.computeIfAbsent(CycleScene.keyOf(name), key -> new ArrayList<>())
                        .add(name);
            }
        }
        return new TreeMap<>(keys);
    }

    /** Without a crash, every event is counted as published once and as dead at most once. */
    private void judgeCounts(List<String> found) {
        for (String name : names) {
            long published = settled(name, Settlement.Published.class);
            long dead = settled(name, Settlement.Dead.class);
            if (published != 1 || dead > 1) {
                found.add("counted " + name + " as published " + published + " times and as dead " + dead + " times");
            }
        }
        if (scene.status().backlog() != 0 || !scene.parked().isEmpty()) {
            found.add("stuck: the backlog is " + scene.status().backlog() + ", parked are " + scene.parked());
        }
    }

    private long settled(String name, Class<? extends Settlement> as) {
        return scene.settled().stream()
                .filter(one -> one.event().equals(name) && as.isInstance(one.as()))
                .count();
    }
}
