package dev.waybill.example.kit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Kills processes while the day goes on, in an order that the seed determines: every victim once in each round, at even distances
 * of the day. A victim that is down is started again after at most a second, while the day goes on; the next kill waits for that.
 */
public final class Chaos {
    private static final int EVENTS_OF_A_ROUND = 500;
    private static final int MOST_ROUNDS = 5;
    private static final int LONGEST_DOWN_MILLIS = 1_000;

    private final List<Victim> victims = new ArrayList<>();
    private final Deque<Victim> plan = new ArrayDeque<>();
    private final Map<String, Integer> kills = new LinkedHashMap<>();
    private final ExampleOptions options;
    private final Random random;
    private final Consumer<String> say;
    private int planned;
    private @Nullable Thread working;
    private volatile @Nullable RuntimeException failure;

    /** What can be killed and started again. */
    public record Victim(String name, Runnable kill, Runnable restart) {}

    Chaos(ExampleOptions options, Consumer<String> say) {
        this.options = options;
        this.random = new Random(options.seed() ^ 0x5eed);
        this.say = say;
    }

    public Chaos victim(Child child) {
        return victim(new Victim(child.name(), child::kill, child::restart));
    }

    public Chaos victim(Victim victim) {
        victims.add(victim);
        kills.put(victim.name(), 0);
        return this;
    }

    /** Whether the command line asks for it; without, nothing is killed. */
    public boolean isWanted() {
        return options.chaos();
    }

    /**
     * Tells how far the day is; kills what is due.
     *
     * @param done of the day's events
     */
    public void progress(long done) {
        if (!options.chaos() || victims.isEmpty()) {
            return;
        }
        if (planned == 0) {
            int rounds = Math.max(1, Math.min(MOST_ROUNDS, options.events() / EVENTS_OF_A_ROUND));
            for (int round = 0; round < rounds; round++) {
                List<Victim> order = new ArrayList<>(victims);
                Collections.shuffle(order, random);
                plan.addAll(order);
            }
            planned = plan.size();
        }
        int begun = planned - plan.size();
        while (!plan.isEmpty() && done * (planned + 1L) >= (begun + 1L) * options.events()) {
            awaitRestarted();
            kill(plan.remove());
            begun++;
        }
    }

    private void kill(Victim victim) {
        long down = TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_DOWN_MILLIS));
        victim.kill().run();
        kills.merge(victim.name(), 1, Integer::sum);
        say.accept("killed " + victim.name());
        Thread restart = new Thread(
                () -> {
                    LockSupport.parkNanos(down);
                    try {
                        victim.restart().run();
                        say.accept(victim.name() + " is back");
                    } catch (RuntimeException e) {
                        failure = e;
                    }
                },
                "chaos");
        working = restart;
        restart.start();
    }

    private void awaitRestarted() {
        Thread restart = working;
        if (restart != null) {
            try {
                restart.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoppedException();
            }
        }
        RuntimeException failed = failure;
        if (failed != null) {
            throw new IllegalStateException(
                    "A killed process could not be started again: " + failed.getMessage(), failed);
        }
    }

    /** Kills what is left of the plan, and returns when everything runs again. */
    public void finish() {
        progress(options.events());
        awaitRestarted();
    }

    /** Adds a row for each victim: it was killed at least once, if asked for. */
    public void report(Balance balance) {
        if (options.chaos()) {
            kills.forEach((name, count) -> balance.atLeast("kills of " + name, 1, count));
        }
    }
}
