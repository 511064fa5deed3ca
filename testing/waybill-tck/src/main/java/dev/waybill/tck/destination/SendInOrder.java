package dev.waybill.tck.destination;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.PublishLog;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends messages as a relay does: several batches are in flight, and outcomes are read in the order of publishing;
 * after an outage it aborts and continues from the first undelivered message; a message that must be retried waits with
 * those behind it, and its key continues from it.
 */
final class SendInOrder {
    private static final int BATCH = 3;
    private static final int MOST_OUT = 3;
    private static final int MOST_ROUNDS = 400;
    /** Wait before a retry, as in a relay. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Destination destination;
    private final boolean oneAtATime;
    private final boolean mayBeRefused;
    private final List<OutboundMessage> refused = new ArrayList<>();
    private final PublishLog log = new PublishLog();
    private final Deque<Out> out = new ArrayDeque<>();
    /** Messages still to be delivered, in order. */
    private final List<OutboundMessage> open;
    /** Keys whose first open message awaits a retry. */
    private final Set<Utf8> parked = new HashSet<>();

    private boolean released;

    private record Out(List<OutboundMessage> batch, Seen seen, CompletionStage<List<Delivery>> stage) {}

    /** @param mayBeRefused whether a message may be refused and is then given up */
    SendInOrder(Destination destination, List<OutboundMessage> messages, boolean mayBeRefused) {
        this.destination = destination;
        this.mayBeRefused = mayBeRefused;
        this.oneAtATime = destination.guarantees().order() == KeyOrder.ONE_AT_A_TIME;
        this.open = new ArrayList<>(messages);
    }

    /** Sends until everything is delivered. */
    void sendAll() {
        for (int round = 0; round < MOST_ROUNDS && !open.isEmpty(); round++) {
            int before = open.size();
            sendOnce();
            if (open.size() == before) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
        if (!open.isEmpty()) {
            throw new AssertionError("Not delivered after " + MOST_ROUNDS + " rounds: " + open.size() + " messages,"
                    + " the first is " + open.get(0));
        }
    }

    /** Sends one more message, with the same log: to the destination it is the same publisher. */
    void sendToo(OutboundMessage message) {
        open.add(message);
        sendAll();
    }

    /** Messages that were given up. */
    List<OutboundMessage> refused() {
        return refused;
    }

    private void sendOnce() {
        released = false;
        List<OutboundMessage> going = sendable();
        for (int from = 0; from < going.size(); from += BATCH) {
            takeInWhatIsComplete();
            if (released) {
                break;
            }
            List<OutboundMessage> batch = going.stream()
                    .skip(from)
                    .limit(BATCH)
                    .filter(message -> !parked.contains(message.event().orderKey()) || isHead(message))
                    .toList();
            Seen seen = log.next();
            out.add(new Out(batch, seen, destination.publish(batch, seen)));
        }
        if (released) {
            destination.abort();
        }
        while (!out.isEmpty()) {
            readOldest();
        }
        if (released) {
            destination.abort();
        }
    }

    private void takeInWhatIsComplete() {
        while (!out.isEmpty()
                && !released
                && (out.size() == MOST_OUT
                        || out.getFirst().stage.toCompletableFuture().isDone())) {
            readOldest();
        }
    }

    /** Only the first open message of a waiting key, and of every key if one message of a key may be in flight. */
    private List<OutboundMessage> sendable() {
        Set<Utf8> seen = new LinkedHashSet<>();
        return open.stream()
                .filter(message -> {
                    Utf8 key = message.event().orderKey();
                    boolean first = seen.add(key);
                    return first || !(oneAtATime || parked.contains(key));
                })
                .toList();
    }

    private boolean isHead(OutboundMessage message) {
        Utf8 key = message.event().orderKey();
        return open.stream()
                .filter(one -> one.event().orderKey().equals(key))
                .findFirst()
                .filter(message::equals)
                .isPresent();
    }

    private void readOldest() {
        Out oldest = out.remove();
        List<Delivery> outcomes = Post.outcomes(oldest.stage);
        log.takenIn(oldest.seen);
        for (int i = 0; i < outcomes.size(); i++) {
            OutboundMessage message = oldest.batch.get(i);
            Delivery outcome = outcomes.get(i);
            if (outcome instanceof Delivery.Unavailable) {
                released = true;
            }
            if (released) {
                continue;
            }
            if (outcome instanceof Delivery.Delivered) {
                open.remove(message);
                parked.remove(message.event().orderKey());
            } else if (outcome instanceof Delivery.Refused why) {
                if (!mayBeRefused) {
                    throw new AssertionError("A message without fault was refused: " + why.error());
                }
                refused.add(message);
                open.remove(message);
                parked.remove(message.event().orderKey());
            } else {
                parked.add(message.event().orderKey());
            }
        }
    }
}
