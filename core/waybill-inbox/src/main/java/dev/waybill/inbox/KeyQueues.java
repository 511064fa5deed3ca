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
    private final Map<Object, KeyQueue> keys = new HashMap<>();
    private final Deque<KeyQueue> free = new ArrayDeque<>();
    private final PriorityQueue<KeyQueue> waiting = new PriorityQueue<>(
            Comparator.comparing((KeyQueue queue) -> queue.notBefore).thenComparing(queue -> queue.waitsSince));
    private List<Held> done = new ArrayList<>();
    private Instant closedUntil = Instant.MIN;
    private int held;
    private long heldBytes;
    private int atWork;
    private boolean ended;

    private static final class KeyQueue {
        private final Object key;
        private final Deque<Held> messages = new ArrayDeque<>();
        private Instant notBefore = Instant.MIN;
        /** Of several that may go on at the same time the first is the one that waits longest for what is away. */
        private Instant waitsSince = Instant.MIN;
        /** What is worked on now. */
        private List<Held> taken = List.of();

        private KeyQueue(Object key) {
            this.key = key;
        }
    }

    /** The messages of one key that somebody works on, first to last, until it is released. */
    static final class Lane {
        private final KeyQueue queue;
        private List<Held> taken;
        private boolean released;

        private Lane(KeyQueue queue) {
            this.queue = queue;
            this.taken = queue.taken;
        }

        List<Held> taken() {
            return taken;
        }
    }

    synchronized void add(Held message) {
        KeyQueue queue = keys.get(message.key());
        if (queue == null) {
            queue = new KeyQueue(message.key());
            queue.messages.addLast(message);
            keys.put(queue.key, queue);
            free.addLast(queue);
        } else {
            queue.messages.addLast(message);
        }
        held++;
        heldBytes += message.bytes;
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
            KeyQueue queue = free.peekFirst();
            boolean batchable = queue.messages.getFirst().isBatchable();
            if (!batchable && !given.isEmpty()) {
                break;
            }
            queue.taken = batchable ? batchableOf(queue, room) : List.of(queue.messages.getFirst());
            given.add(new Lane(queue));
            free.removeFirst();
            atWork++;
            room = batchable ? room - queue.taken.size() : 0;
        }
        return given;
    }

    private static List<Held> batchableOf(KeyQueue queue, int atMost) {
        List<Held> first = new ArrayList<>();
        for (Held message : queue.messages) {
            if (!message.isBatchable() || first.size() == atMost) {
                break;
            }
            first.add(message);
        }
        return first;
    }

    /** Of this lane, only the first messages are worked on now. */
    synchronized void shorten(Lane lane, int count) {
        lane.taken = List.copyOf(lane.taken.subList(0, count));
        lane.queue.taken = lane.taken;
    }

    /** The first message of a lane that is at work is done with. */
    synchronized void done(Lane lane) {
        Held first = lane.queue.messages.removeFirst();
        done.add(first);
        held--;
        heldBytes -= first.bytes;
    }

    /**
     * Work on this key has ended for now; it goes on with its first message, not before the given time. Does nothing when the
     * lane was released before: somebody else may be at work on its key.
     */
    synchronized void release(Lane lane, Instant notBefore) {
        if (lane.released) {
            return;
        }
        KeyQueue queue = lane.queue;
        queue.notBefore = notBefore;
        if (queue.messages.isEmpty()) {
            keys.remove(queue.key, queue);
        } else {
            queue.waitsSince = queue.messages.getFirst().waitsSince;
            waiting.add(queue);
        }
        queue.taken = List.of();
        lane.released = true;
        atWork--;
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

    /** Bytes of the messages that are held. */
    synchronized long heldBytes() {
        return heldBytes;
    }

    /** Drops the messages that nobody works on now. */
    synchronized void forget(Predicate<Held> whose) {
        for (Iterator<KeyQueue> each = keys.values().iterator(); each.hasNext(); ) {
            KeyQueue queue = each.next();
            queue.messages.removeIf(message -> {
                boolean drop = whose.test(message) && !queue.taken.contains(message);
                held -= drop ? 1 : 0;
                heldBytes -= drop ? message.bytes : 0;
                return drop;
            });
            // One at work whose last message is done with goes when it is released: until then nobody else has its key.
            if (queue.messages.isEmpty() && queue.taken.isEmpty()) {
                each.remove();
                free.remove(queue);
                waiting.remove(queue);
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
                && keys.values().stream().anyMatch(queue -> queue.taken.stream().anyMatch(whose));
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
