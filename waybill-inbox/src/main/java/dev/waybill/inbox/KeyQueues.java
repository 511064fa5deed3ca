package dev.waybill.inbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Messages that wait to be handled, a queue for each key. A key is free, at work, or waits for its retry; only the first of
 * a key can be worked on, so a key keeps its order whatever happens, and none waits for another. Safe for many threads.
 */
final class KeyQueues {
    private final Map<Object, Lane> lanes = new HashMap<>();
    private final Deque<Lane> free = new ArrayDeque<>();
    private final PriorityQueue<Lane> waiting =
            new PriorityQueue<>(Comparator.comparing((Lane lane) -> lane.notBefore));
    private List<Held> done = new ArrayList<>();
    private Instant closedUntil = Instant.MIN;
    private int held;
    private int atWork;
    private boolean ended;

    /** The messages of one key that are worked on now, first to last. */
    static final class Lane {
        private final Object key;
        private final Deque<Held> queue = new ArrayDeque<>();
        private Instant notBefore = Instant.MIN;
        private List<Held> taken = List.of();

        private Lane(Object key) {
            this.key = key;
        }

        List<Held> taken() {
            return taken;
        }
    }

    synchronized void add(Held message) {
        held++;
        Lane lane = lanes.get(message.key());
        if (lane == null) {
            lane = new Lane(message.key());
            lanes.put(lane.key, lane);
            free.addLast(lane);
        }
        lane.queue.addLast(message);
        notifyAll();
    }

    /**
     * Something to work on: the first message of one key, or, when that may share its transaction, the first ones of several.
     * Every lane given is to be {@link #release released}.
     *
     * @param atMost how many messages that share a transaction
     */
    synchronized List<Lane> take(Instant now, int atMost) {
        if (ended || now.isBefore(closedUntil)) {
            return List.of();
        }
        while (!waiting.isEmpty() && !waiting.peek().notBefore.isAfter(now)) {
            free.addLast(waiting.remove());
        }
        List<Lane> given = new ArrayList<>();
        int room = atMost;
        while (room > 0 && !free.isEmpty()) {
            Lane lane = free.peekFirst();
            boolean batchable = lane.queue.getFirst().batchable;
            if (!batchable && !given.isEmpty()) {
                break;
            }
            free.removeFirst();
            lane.taken = batchable ? batchableOf(lane, room) : List.of(lane.queue.getFirst());
            room = batchable ? room - lane.taken.size() : 0;
            given.add(lane);
        }
        atWork += given.size();
        return given;
    }

    private static List<Held> batchableOf(Lane lane, int atMost) {
        List<Held> first = new ArrayList<>();
        for (Held message : lane.queue) {
            if (!message.batchable || first.size() == atMost) {
                break;
            }
            first.add(message);
        }
        return first;
    }

    /** The first message of a lane that is at work is done with. */
    synchronized void done(Lane lane) {
        done.add(lane.queue.removeFirst());
        held--;
    }

    /** Work on this key has ended for now; it goes on with its first message, not before the given time. */
    synchronized void release(Lane lane, Instant notBefore) {
        atWork--;
        lane.taken = List.of();
        lane.notBefore = notBefore;
        if (lane.queue.isEmpty()) {
            lanes.remove(lane.key);
        } else {
            waiting.add(lane);
        }
        notifyAll();
    }

    /** Nothing is given out until then. */
    synchronized void closeUntil(Instant time) {
        closedUntil = time;
    }

    /** What is done with since this was last asked. */
    synchronized List<Held> takeDone() {
        List<Held> all = done;
        done = new ArrayList<>();
        return all;
    }

    synchronized int held() {
        return held;
    }

    /** Drops the messages that nobody works on now. */
    synchronized void forget(Predicate<Held> whose) {
        for (Iterator<Lane> each = lanes.values().iterator(); each.hasNext(); ) {
            Lane lane = each.next();
            int before = lane.queue.size();
            lane.queue.removeIf(message -> whose.test(message) && !lane.taken.contains(message));
            held -= before - lane.queue.size();
            if (lane.queue.isEmpty()) {
                each.remove();
                free.remove(lane);
                waiting.remove(lane);
            }
        }
    }

    /** Gives nothing out any more. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized boolean isEnded() {
        return ended;
    }

    /**
     * Waits until none of these messages is worked on.
     *
     * @return whether that came about in time
     */
    synchronized boolean awaitRest(Predicate<Held> whose, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (isAtWork(whose)) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        return true;
    }

    private boolean isAtWork(Predicate<Held> whose) {
        return atWork > 0
                && lanes.values().stream().anyMatch(lane -> lane.taken.stream().anyMatch(whose));
    }

    /** Waits until there may be something to take, or some time has passed. */
    @SuppressWarnings("WaitNotInLoop") // whoever waits here looks again in any case
    synchronized void awaitWork(Instant now, Duration atMost) throws InterruptedException {
        boolean closed = now.isBefore(closedUntil);
        boolean work = !closed
                && (!free.isEmpty()
                        || (!waiting.isEmpty() && !waiting.peek().notBefore.isAfter(now)));
        if (ended || work) {
            return;
        }
        Instant next = closed ? closedUntil : waiting.isEmpty() ? Instant.MAX : waiting.peek().notBefore;
        long millis =
                next.isBefore(now.plus(atMost)) ? Duration.between(now, next).toMillis() + 1 : atMost.toMillis();
        wait(Math.max(1, millis));
    }
}
