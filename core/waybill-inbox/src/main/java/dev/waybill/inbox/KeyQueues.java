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
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Messages that wait to be handled, with a queue for each key. A key is free, in progress, or waits for a retry. Only its first
 * messages can be taken, so each key keeps its order, and no key waits for another. Safe for use by many threads.
 */
final class KeyQueues {
    private final Map<Object, KeyQueue> keys = new HashMap<>();
    private final Deque<KeyQueue> free = new ArrayDeque<>();
    private final PriorityQueue<KeyQueue> waiting = new PriorityQueue<>(
            Comparator.comparing((KeyQueue queue) -> queue.notBefore).thenComparing(queue -> queue.waitsSince));
    private List<HeldMessage> done = new ArrayList<>();
    private Instant closedUntil = Instant.MIN;
    private int held;
    private long heldBytes;
    private int atWork;
    private boolean ended;

    private static final class KeyQueue {
        private final Object key;
        private final Deque<HeldMessage> messages = new ArrayDeque<>();
        private Instant notBefore = Instant.MIN;
        /** Of several keys due at the same time, the one that has waited longest for a dependency is first. */
        private Instant waitsSince = Instant.MIN;
        /** Messages in progress. */
        private List<HeldMessage> taken = List.of();

        private KeyQueue(Object key) {
            this.key = key;
        }
    }

    /** The messages of one key that a worker has taken, in order, until it is released. */
    static final class Lane {
        private final KeyQueue queue;
        private List<HeldMessage> taken;
        private boolean released;

        private Lane(KeyQueue queue) {
            this.queue = queue;
            this.taken = queue.taken;
        }

        List<HeldMessage> taken() {
            return taken;
        }
    }

    synchronized void add(HeldMessage message) {
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
     * Takes the first message of one key or, if it may share a transaction, the first messages of several keys. Every returned
     * lane must be {@link #release released}.
     *
     * @param atMost maximum number of messages that share a transaction
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

    private static List<HeldMessage> batchableOf(KeyQueue queue, int atMost) {
        List<HeldMessage> first = new ArrayList<>();
        for (HeldMessage message : queue.messages) {
            if (!message.isBatchable() || first.size() == atMost) {
                break;
            }
            first.add(message);
        }
        return first;
    }

    /** Keeps only the first messages in the lane. */
    synchronized void shorten(Lane lane, int count) {
        lane.taken = List.copyOf(lane.taken.subList(0, count));
        lane.queue.taken = lane.taken;
    }

    /** The first message of the lane is finished. */
    synchronized void done(Lane lane) {
        HeldMessage first = lane.queue.messages.removeFirst();
        done.add(first);
        held--;
        heldBytes -= first.bytes;
    }

    /**
     * Releases the key; it continues with its first message, not before the given time. Does nothing if the lane was already
     * released, because another worker may have taken the key.
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

    /** Returns no messages before this time. */
    synchronized void closeUntil(Instant time) {
        closedUntil = time;
    }

    /** Messages finished since the last call. */
    synchronized List<HeldMessage> takeDone() {
        List<HeldMessage> all = done;
        done = new ArrayList<>();
        return all;
    }

    synchronized int held() {
        return held;
    }

    /** When the oldest of the held messages was sent. */
    synchronized Optional<Instant> oldestSent() {
        return keys.values().stream()
                .flatMap(queue -> queue.messages.stream())
                .flatMap(held -> held.message.sentAt().stream())
                .min(Comparator.naturalOrder());
    }

    /** Size of all held messages. */
    synchronized long heldBytes() {
        return heldBytes;
    }

    /** Drops the messages that are not in progress. */
    synchronized void forget(Predicate<HeldMessage> whose) {
        for (Iterator<KeyQueue> each = keys.values().iterator(); each.hasNext(); ) {
            KeyQueue queue = each.next();
            queue.messages.removeIf(message -> {
                boolean drop = whose.test(message) && !queue.taken.contains(message);
                held -= drop ? 1 : 0;
                heldBytes -= drop ? message.bytes : 0;
                return drop;
            });
            // A key in progress without further messages is removed when it is released, so that no other worker takes
            // it before.
            if (queue.messages.isEmpty() && queue.taken.isEmpty()) {
                each.remove();
                free.remove(queue);
                waiting.remove(queue);
            }
        }
    }

    /** Returns no messages any more. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized boolean isEnded() {
        return ended;
    }

    /**
     * Waits until none of these messages is in progress.
     *
     * @return false if the time has passed before
     */
    synchronized boolean awaitRest(Predicate<HeldMessage> whose, Duration atMost) throws InterruptedException {
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

    /** Whether messages are being handled. */
    synchronized boolean isAtWork() {
        return atWork > 0;
    }

    private boolean isAtWork(Predicate<HeldMessage> whose) {
        return atWork > 0
                && keys.values().stream().anyMatch(queue -> queue.taken.stream().anyMatch(whose));
    }

    /** Waits until a message may be available, or for a limited time. */
    @SuppressWarnings("WaitNotInLoop") // the caller checks again in any case
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
