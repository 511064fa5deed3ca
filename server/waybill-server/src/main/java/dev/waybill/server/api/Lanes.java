package dev.waybill.server.api;

import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Keeps requests that wait for a database or broker from taking all workers: of each kind at most a few are worked on,
 * {@value #WAITING} wait for a moment, and more are refused. Safe for use by many threads.
 */
final class Lanes {
    private static final int WAITING = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Only those in use, because the names come from clients. */
    private final Map<String, Lane> lanes = new HashMap<>();

    private static final class Lane {
        private int running;
        private int waiting;
    }

    /** Requests of one kind for one server that run at a time. */
    private static final int RUNNING = 4;
    /** Requests for up to 10,000 parked events of one store. Those who look keep no operator from a preview. */
    private static final int LARGE = 2;

    /** The same of all stores, since they take much memory; as many again for operators. */
    private static final int ALL_LARGE = 3;

    private static final String SLOW =
            "Too many requests wait for the same database or broker, which answers slowly or not at all: try again in a moment.";
    private static final String FULL =
            "The process reads as many long lists of parked events, of all its stores, as it has memory for, and none of them"
                    + " ended within a second: try again in a moment.";

    /** Runs a request for the server of this name. */
    <T> T run(Route route, String server, Supplier<T> work) {
        return route.isLarge()
                ? run("large\n" + route.role() + "\n" + server, LARGE, SLOW, work)
                : run(route.path() + "\n" + server, RUNNING, SLOW, work);
    }

    /**
     * Runs the part of a request that reads up to 10,000 parked events. Ask the store for something small before: one that does not
     * answer must not keep others from being read.
     */
    <T> T large(Role role, Supplier<T> work) {
        return run("large\n" + role, ALL_LARGE, FULL, work);
    }

    /**
     * @param name of the kind of request
     * @param most how many at a time
     * @param busy what to say if too many of the kind are under way
     * @throws RefusedException in that case
     */
    private <T> T run(String name, int most, String busy, Supplier<T> work) {
        enter(name, most, busy);
        try {
            return work.get();
        } finally {
            leave(name);
        }
    }

    private synchronized void enter(String name, int most, String busy) {
        Lane lane = lanes.computeIfAbsent(name, each -> new Lane());
        long end = System.nanoTime() + PATIENCE.toNanos();
        if (lane.waiting >= WAITING) {
            throw refused(busy);
        }
        lane.waiting++;
        try {
            while (lane.running >= most) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw refused(busy);
                }
                wait(left);
            }
            lane.running++;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused(busy);
        } finally {
            lane.waiting--;
            forgetUnused(name, lane);
        }
    }

    private synchronized void leave(String name) {
        Lane lane = lanes.get(name);
        if (lane != null) {
            lane.running--;
            forgetUnused(name, lane);
        }
        notifyAll();
    }

    private void forgetUnused(String name, Lane lane) {
        if (lane.running == 0 && lane.waiting == 0) {
            lanes.remove(name);
        }
    }

    private static RefusedException refused(String why) {
        return new RefusedException("503 Service Unavailable", "busy", why);
    }
}
